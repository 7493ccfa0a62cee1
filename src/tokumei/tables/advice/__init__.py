"""Advice on the release of a table: from a purpose to candidates, measured and attacked."""
