"""Risk of a table before anything is done to it."""
