"""From a table to a verified release, wherever the rows are."""
