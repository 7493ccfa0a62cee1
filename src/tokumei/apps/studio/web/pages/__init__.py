"""The routes of every page."""
