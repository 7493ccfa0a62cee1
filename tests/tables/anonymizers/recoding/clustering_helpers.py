"""What the tests split from test_clustering share."""

from __future__ import annotations


def rows_of(problem, members):
    return sum(int(problem.counts[t]) for t in members)
