"""Compiled loops of the build of blocks."""
