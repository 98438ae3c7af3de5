"""Benchmarks: HoscPool compared with other libraries, measured in one run.

A suite is one file in `hoscpool.bench.suites`; the rest of the package is what suites share: the
[`harness`][hoscpool.bench.harness.measure] that measures, the graphs, the wrapped peers, and the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import CaseResult as CaseResult
    from hoscpool.bench.harness.measure import Settings as Settings
    from hoscpool.bench.harness.result_files import SuiteRun as SuiteRun
    from hoscpool.bench.harness.result_files import check_output as check_output
    from hoscpool.bench.harness.suite_run import exit_code as exit_code
    from hoscpool.bench.harness.suite_run import print_summary as print_summary
    from hoscpool.bench.harness.suite_run import run_cases as run_cases
    from hoscpool.bench.peers.communities import detect_communities as detect_communities

_EXPORTS = {
    "CaseResult": "harness.cases",
    "Settings": "harness.measure",
    "SuiteRun": "harness.result_files",
    "check_output": "harness.result_files",
    "detect_communities": "peers.communities",
    "exit_code": "harness.suite_run",
    "print_summary": "harness.suite_run",
    "run_cases": "harness.suite_run",
}

__getattr__ = lazy_door(__name__, _EXPORTS)
