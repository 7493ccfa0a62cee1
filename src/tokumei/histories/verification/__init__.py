"""What released histories claim and what contest files must keep, read from their text alone.

Nothing here shares code with what makes releases: the rules read the cells for themselves.
"""
