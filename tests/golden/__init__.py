"""Recordings of what the product writes and says; see README.md in this folder."""
