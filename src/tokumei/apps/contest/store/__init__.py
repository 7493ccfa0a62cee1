"""What is remembered: tables, files by content, and the vault."""
