"""Count motifs: with closed forms of a few counts on edges, or by listing the instances."""
