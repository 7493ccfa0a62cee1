"""Splitting tuples until no cut is left."""
