"""What pools sum over the nodes: `node_sums`, one door with several private forms behind it."""
