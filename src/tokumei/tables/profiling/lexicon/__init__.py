"""Word lists for column names, people's names and places."""
