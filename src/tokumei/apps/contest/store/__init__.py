"""Storage of the contest server: database, files by content, and the vault."""
