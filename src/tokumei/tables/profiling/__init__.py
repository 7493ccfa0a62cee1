"""A first look at a stranger's file: how it is written, what its columns mean, what to ask."""
