"""Compiled kernels that form equivalence classes: cutting, splitting, merging, conditions."""
