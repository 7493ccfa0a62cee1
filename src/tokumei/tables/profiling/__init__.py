"""Profiles a table file: format, types and roles of columns, open questions."""
