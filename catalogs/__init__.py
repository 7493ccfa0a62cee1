"""Keeps the message catalogs: `python -m catalogs --help`."""
