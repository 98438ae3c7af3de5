"""Other libraries that count motifs, each wrapped as a contender of the benchmark.

A peer module offers the steps of every [`Contender`][hoscpool.bench.harness.cases.Contender]. ``prepare`` converts a
graph to the library's own structure (not timed). ``run`` is what gets timed. ``answer`` turns the result into one int64
count per edge, in the order of [`edge_ends`][hoscpool.bench.peers.common.edge_ends], so that results can be compared.
"""
