"""Pure functions that make the paper's tables from records."""

from hoscpool.experiments.tables.view import Comparison, View, make_view, make_views

__all__ = ["Comparison", "View", "make_view", "make_views"]
