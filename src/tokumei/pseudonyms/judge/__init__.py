"""The judge of contests with pseudonyms over time."""
