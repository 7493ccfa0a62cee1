"""Advice on a release of any kind: purpose, candidates and their Pareto front."""
