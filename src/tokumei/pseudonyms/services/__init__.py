"""What can be done to pseudonyms over time; every front end builds the requests."""
