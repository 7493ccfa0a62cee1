"""Checks claims of released histories and rules of contest files.

Nothing here shares code with what makes releases: the rules read the cells for themselves.
"""
