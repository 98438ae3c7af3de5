"""Batches of graphs as layers use them, the checks of layer arguments, and motif matrices of a batch."""
