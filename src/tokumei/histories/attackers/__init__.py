"""Attacks on released purchase histories, one file per attack.

`released_rows`, `consistency`, `likelihood`, `one_to_one`, `votes` and `selection` are the kernels
they share.
"""
