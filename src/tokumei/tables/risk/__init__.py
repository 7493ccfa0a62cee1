"""Risk of a table before anonymization."""
