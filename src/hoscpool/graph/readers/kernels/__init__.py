"""Compiled loops of the readers."""
