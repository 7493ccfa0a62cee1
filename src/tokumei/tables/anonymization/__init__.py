"""Anonymizes tables in memory, from disk to disk, or on a cluster."""
