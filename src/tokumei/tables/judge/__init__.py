"""The judge of contests with tables."""
