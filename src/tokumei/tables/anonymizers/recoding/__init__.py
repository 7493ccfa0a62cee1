"""Recoding by hierarchies: the problem as arrays, and the kernels that solve it."""
