"""The files and the page of a graph classification."""
