"""The paper's tables from records: pure functions, one module for each kind."""

from hoscpool.experiments.tables.model import Comparison, View
from hoscpool.experiments.tables.registry import make_view, make_views

__all__ = ["Comparison", "View", "make_view", "make_views"]
