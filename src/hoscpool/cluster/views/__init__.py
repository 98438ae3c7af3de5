"""Cheap node coordinates that runs start from: smoothed features and spectral coordinates; and similar features."""
