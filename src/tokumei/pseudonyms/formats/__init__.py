"""Layouts of files with pseudonyms over time."""
