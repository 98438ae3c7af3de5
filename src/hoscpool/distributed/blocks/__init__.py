"""A graph as blocks on disk: build a folder of blocks from files of any size, and read it."""
