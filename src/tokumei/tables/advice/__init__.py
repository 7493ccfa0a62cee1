"""Advice on releases of a table: candidates for a purpose, measured and attacked."""
