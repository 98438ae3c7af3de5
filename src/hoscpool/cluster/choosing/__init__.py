"""The choice of a run, the choice of K, and hierarchies of clusters."""
