"""Services on pseudonyms over time."""
