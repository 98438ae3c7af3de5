"""eigen."""
