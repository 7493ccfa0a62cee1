"""Contest."""
