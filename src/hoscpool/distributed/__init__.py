"""Graphs beyond one memory or one machine."""
