"""Anonymizers of pseudonyms over time."""
