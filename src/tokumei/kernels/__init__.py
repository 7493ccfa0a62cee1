"""Compiled searches on arrays of codes; no other code needs a compiler."""
