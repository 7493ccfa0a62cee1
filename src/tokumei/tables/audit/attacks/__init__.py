"""Membership attacks."""
