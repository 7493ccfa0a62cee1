"""Pages on pseudonyms over time."""
