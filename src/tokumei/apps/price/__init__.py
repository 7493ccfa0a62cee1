"""Finds the k-anonymous recoding of highest value under a price list."""
