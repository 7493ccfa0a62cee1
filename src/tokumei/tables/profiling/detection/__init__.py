"""Detects types, personal data and people in columns."""
