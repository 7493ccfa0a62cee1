"""Anonymization methods for tables, one file per method."""
