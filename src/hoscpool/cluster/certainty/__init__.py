"""How sure the cluster of a node is: the evidence of its links and of its features, over all restarts."""
