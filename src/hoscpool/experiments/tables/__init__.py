"""The paper's tables from records: pure functions, one module for each kind."""

from hoscpool.experiments.tables.table_list import make_view, make_views
from hoscpool.experiments.tables.view import Comparison, View

__all__ = ["Comparison", "View", "make_view", "make_views"]
