"""Pure functions that make the paper's tables from records."""

from hoscpool.experiments.tables.paper_rows import NEAR, TRAINED, Attempt, attempts, best_attempt, choose_mu, paper_rows
from hoscpool.experiments.tables.summaries import Summary
from hoscpool.experiments.tables.view import Comparison, View, make_view, make_views

__all__ = [
    "NEAR",
    "TRAINED",
    "Attempt",
    "Comparison",
    "Summary",
    "View",
    "attempts",
    "best_attempt",
    "choose_mu",
    "make_view",
    "make_views",
    "paper_rows",
]
