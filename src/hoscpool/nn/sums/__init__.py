"""The sums of a pool over the nodes. `node_sums` selects one of several private backends."""
