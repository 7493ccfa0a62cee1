"""Recoding along hierarchies: the problem as arrays, and searches that solve it."""
