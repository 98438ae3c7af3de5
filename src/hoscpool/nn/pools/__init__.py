"""The pools, one a file, each registered by a name."""
