"""Audits what a release of any tool reveals about the people in it."""
