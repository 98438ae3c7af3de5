"""Small pictures of graphs: positions by springs, and vector graphics without any library."""
