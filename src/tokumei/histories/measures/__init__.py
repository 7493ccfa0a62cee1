"""Measures of released purchase histories, one file per measure."""
