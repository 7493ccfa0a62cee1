"""Report on a price curve."""
