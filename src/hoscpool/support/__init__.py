"""Tools that know nothing of graphs: errors, names, threads, progress, seeds, files, memory and tables."""
