"""Reads and writes files on a Spark cluster."""
