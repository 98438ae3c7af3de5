"""Converters from the objects of other libraries to raw arcs, one module per library."""
