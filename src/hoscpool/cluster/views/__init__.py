"""Cheap clusterings to start from: smoothed features, spectral coordinates, similar features."""
