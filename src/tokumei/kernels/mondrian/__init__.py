"""Mondrian: splits tuples until no cut is possible."""
