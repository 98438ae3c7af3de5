"""Benchmarks: HoscPool compared with other libraries, measured in one run.

A suite is one file in `hoscpool.bench.suites`; the rest of the package is what suites share: the
[`harness`][hoscpool.bench.harness.measure] that measures, the graphs, the wrapped peers, and the tables.
"""
