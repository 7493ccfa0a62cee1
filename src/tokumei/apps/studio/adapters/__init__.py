"""Adapters of the kinds of data: texts, recipes, rows and attacks for the studio."""
