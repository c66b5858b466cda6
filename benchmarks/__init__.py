"""Where the figures in docs/benchmarks.md come from."""
