"""What the tests split from test_lattice share."""

from __future__ import annotations

import itertools

import numpy as np

OBJECTIVES = ["ncp", "prec", "dm", "classes"]


def all_nodes(problem):
    return list(itertools.product(*(range(len(up)) for up in problem.up)))


def classes_at(problem, levels):
    """The tuples of each class, in plain Python."""
    found, above = {}, [up[lv].tolist() for up, lv in zip(problem.up, levels, strict=True)]
    for at, leaves in enumerate(problem.codes.tolist()):
        cell = tuple(nodes[x] for nodes, x in zip(above, leaves, strict=True))
        found.setdefault(cell, []).append(at)
    return list(found.values())


def random_question(seed):
    rng = np.random.default_rng([seed, 1])
    return int(rng.integers(1, 9)), [0.0, 0.0625, 0.125, 0.5][seed % 4]
