"""Commands on tables, one file per command."""
