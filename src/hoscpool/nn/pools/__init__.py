"""The pools: one file per pool, each registered by name."""
