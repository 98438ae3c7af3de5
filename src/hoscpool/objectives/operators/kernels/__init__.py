"""Compiled loops of the sparse product."""
