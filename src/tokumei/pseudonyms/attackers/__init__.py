"""Attacks on pseudonyms over time."""
