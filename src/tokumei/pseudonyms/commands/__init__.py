"""Commands on pseudonyms over time."""
