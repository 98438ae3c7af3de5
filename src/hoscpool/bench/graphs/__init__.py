"""The graphs that benchmarks run on."""
