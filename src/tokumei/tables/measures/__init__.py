"""Utility and risk measures of tables, one file per measure."""
