"""The tables and figures of the five papers, made of somebody else's data."""
