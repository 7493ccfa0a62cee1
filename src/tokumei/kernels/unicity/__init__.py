"""How many people a few known points single out."""
