"""Attackers, who see only what is public and what they know: one file per attack."""
