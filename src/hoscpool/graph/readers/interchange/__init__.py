"""Readers of the formats by which programs exchange graphs."""
