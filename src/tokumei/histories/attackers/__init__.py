"""Attacks on released purchase histories."""
