"""Compiled code that makes classes of tuples: cutting, splitting, merging, and what must hold."""
