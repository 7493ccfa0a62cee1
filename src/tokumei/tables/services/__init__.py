"""Services on tables."""
