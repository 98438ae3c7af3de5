"""How motifs are counted: by closed forms of a few counts on edges, or by listing the instances."""
