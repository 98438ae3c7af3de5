"""ASAP and its compiled loops."""
