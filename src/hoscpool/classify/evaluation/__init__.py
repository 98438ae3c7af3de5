"""How good a classifier is: splits, studies over them, tuning, and what its pools do."""
