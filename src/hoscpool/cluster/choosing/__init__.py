"""Which run is kept, how many clusters there are, and which clusters lie inside which."""
