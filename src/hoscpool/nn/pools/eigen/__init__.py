"""EigenPool and its Fourier modes."""
