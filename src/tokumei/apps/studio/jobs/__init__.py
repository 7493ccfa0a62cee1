"""Runs jobs that read data in child processes with limits."""
