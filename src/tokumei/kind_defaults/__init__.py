"""Default commands, recipe and judge of a kind of data."""
