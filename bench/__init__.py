"""Benchmarks as ratios: ours against a floor measured in the same run."""
