"""The compiled loops of ASAP."""
