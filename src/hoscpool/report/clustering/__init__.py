"""The files and the page of a clustering."""
