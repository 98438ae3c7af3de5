"""From the objects of other libraries to raw arcs, one module per family."""
