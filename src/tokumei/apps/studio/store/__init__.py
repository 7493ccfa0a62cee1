"""Projects as folders."""
