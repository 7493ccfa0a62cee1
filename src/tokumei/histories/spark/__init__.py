"""Histories on a Spark cluster."""
