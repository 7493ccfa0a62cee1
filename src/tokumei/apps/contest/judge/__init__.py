"""Scores uploads as a pure function: no database, no clock."""
