"""Reads and writes files: readers with clear errors, writers that write whole files or nothing."""
