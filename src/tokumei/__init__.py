"""Tokumei."""
