"""What the fits of clusterings and classifiers share: the loop, checkpoints, saving and loading, the optimiser."""
