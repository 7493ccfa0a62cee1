"""`tokumei release`: a useful release of a table that fits its recipient, in one step."""
