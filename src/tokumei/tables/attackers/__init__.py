"""Attacks on tables, one file per attack; they see the public part and their knowledge."""
