"""Layouts of history files."""
