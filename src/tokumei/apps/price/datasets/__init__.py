"""Generated people, and a price list for their attributes."""
