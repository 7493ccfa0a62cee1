"""Anonymizers of purchase histories, one file per method."""
