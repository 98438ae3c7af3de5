"""The records of the experiments as a page, and as pages of the documentation."""
