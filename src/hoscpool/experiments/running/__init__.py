"""Runs the cells of experiments and keeps their records."""
