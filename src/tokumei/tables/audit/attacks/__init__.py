"""Attacks that tell members from others by what a release shows."""
