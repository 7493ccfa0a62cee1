"""Implements the public functions of `tokumei` for every kind of data.

Programs import them from `tokumei`, which loads each when it is first used.
"""
