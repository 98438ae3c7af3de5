"""Evaluation of a classifier: splits, studies over splits, tuning, and the diagnosis of pools."""
