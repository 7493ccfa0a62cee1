"""Measures of pseudonyms over time."""
