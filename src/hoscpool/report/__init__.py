"""Pages and pictures of results. Nothing here trains or computes a result again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.report.classification.class_files import POOL_COLUMNS as POOL_COLUMNS
    from hoscpool.report.classification.class_files import Classification as Classification
    from hoscpool.report.classification.class_files import classification_summary as classification_summary
    from hoscpool.report.classification.class_files import describe_choice as describe_choice
    from hoscpool.report.classification.class_files import pool_rows as pool_rows
    from hoscpool.report.classification.class_files import write_classification as write_classification
    from hoscpool.report.clustering.answer import Answer as Answer
    from hoscpool.report.clustering.answer import named_members as named_members
    from hoscpool.report.clustering.cluster_files import clustering_summary as clustering_summary
    from hoscpool.report.clustering.cluster_files import node_rows as node_rows
    from hoscpool.report.clustering.cluster_files import write_clustering as write_clustering
    from hoscpool.report.clustering.cluster_page import cluster_table as cluster_table
    from hoscpool.report.clustering.cluster_page import report_model as report_model
    from hoscpool.report.clustering.cluster_page import run_table as run_table
    from hoscpool.report.clustering.summary import Clustering as Clustering
    from hoscpool.report.clustering.summary import describe_clusters as describe_clusters
    from hoscpool.report.clustering.summary import score as score
    from hoscpool.report.clustering.summary import why_kept as why_kept
    from hoscpool.report.clustering.summary import why_solver as why_solver
    from hoscpool.report.demo_page import COLUMNS as COLUMNS
    from hoscpool.report.demo_page import SCORE_COLUMNS as SCORE_COLUMNS
    from hoscpool.report.demo_page import DemoRun as DemoRun
    from hoscpool.report.demo_page import motif_statistics as motif_statistics
    from hoscpool.report.demo_page import write_demo_page as write_demo_page
    from hoscpool.report.explorer.explore import explore as explore
    from hoscpool.report.folder import check_folder as check_folder
    from hoscpool.report.folder import check_writable as check_writable
    from hoscpool.report.folder import existing_folder as existing_folder
    from hoscpool.report.one_line import Communities as Communities
    from hoscpool.report.one_line import find_communities as find_communities
    from hoscpool.report.results.records_page import write_report as write_report
    from hoscpool.report.results.reproduction import write_pages as write_pages

_EXPORTS = {
    "Answer": "clustering.answer",
    "COLUMNS": "demo_page",
    "Classification": "classification.class_files",
    "Clustering": "clustering.summary",
    "Communities": "one_line",
    "DemoRun": "demo_page",
    "POOL_COLUMNS": "classification.class_files",
    "SCORE_COLUMNS": "demo_page",
    "check_folder": "folder",
    "check_writable": "folder",
    "cluster_table": "clustering.cluster_page",
    "describe_choice": "classification.class_files",
    "describe_clusters": "clustering.summary",
    "existing_folder": "folder",
    "explore": "explorer.explore",
    "find_communities": "one_line",
    "motif_statistics": "demo_page",
    "named_members": "clustering.answer",
    "node_rows": "clustering.cluster_files",
    "pool_rows": "classification.class_files",
    "report_model": "clustering.cluster_page",
    "run_table": "clustering.cluster_page",
    "score": "clustering.summary",
    "clustering_summary": "clustering.cluster_files",
    "classification_summary": "classification.class_files",
    "why_kept": "clustering.summary",
    "why_solver": "clustering.summary",
    "write_classification": "classification.class_files",
    "write_clustering": "clustering.cluster_files",
    "write_demo_page": "demo_page",
    "write_pages": "results.reproduction",
    "write_report": "results.records_page",
}

__getattr__ = lazy_door(__name__, _EXPORTS)
