"""Recomputes what a release claims, from its public part alone.

Nothing here imports the methods that make releases, nor their codes: a rule reads the public
frame as anyone could.
"""
