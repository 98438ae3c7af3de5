"""The paper's tables from records: pure functions."""

from hoscpool.experiments.tables.view import Comparison, View, make_view, make_views

__all__ = ["Comparison", "View", "make_view", "make_views"]
