"""Choosing: run attacks and measures over releases, compare them, find the front."""
