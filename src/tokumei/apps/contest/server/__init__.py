"""Runs a contest server: a web process and workers, restarted when they die."""
