"""From a list of graphs to batches: checking, joining, merging and slicing."""
