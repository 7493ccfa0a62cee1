"""Engines: rows in memory, weighted rows, files larger than memory, Spark."""
