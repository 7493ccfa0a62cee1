"""Look-alike households."""
