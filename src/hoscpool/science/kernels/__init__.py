"""Compiled loops of the science room. They are imported only when they are needed."""
