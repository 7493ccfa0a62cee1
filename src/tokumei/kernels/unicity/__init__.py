"""Counts the people whom a few known points single out."""
