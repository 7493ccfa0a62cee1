"""Compiled searches on arrays of codes; nothing else needs a compiler."""
