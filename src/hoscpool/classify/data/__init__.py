"""Graphs on their way into batches: checked, joined, merged and sliced."""
