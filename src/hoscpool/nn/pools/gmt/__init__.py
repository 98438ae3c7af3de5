"""GMT and its attention over sets."""
