"""asap."""
