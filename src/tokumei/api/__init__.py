"""The functions of `tokumei` with their signatures: they find the kind of data and have it served.

Programs import them from `tokumei`, which loads each when it is first used.
"""
