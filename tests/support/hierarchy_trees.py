"""Random hierarchies as plain rows of labels, the leaf first, `*` last."""

import random

from hypothesis import strategies as st

from tokumei.core.generalized_cells import canonicalize_value

LETTERS = "ab1.0-;,\"' \t\n[]{}*:#あ漢"


def trees(most=9):
    """Rows of a valid hierarchy: nested, one path per leaf, all of the same length.

    Hypothesis draws a seed only: label by label it takes longer than what is tested.
    """
    return st.integers(0, 2**32).map(lambda seed: tree(random.Random(seed), most))


def tree(chance, most):
    """One such hierarchy, of up to so many leaves."""
    nodes = list(range(chance.randint(1, most)))
    paths = [[leaf] for leaf in labels(chance, len(nodes), shortest=0)]
    for _ in range(chance.randint(0, 3)):
        parents = [chance.randint(0, max(nodes)) for _ in range(max(nodes) + 1)]
        nodes = [parents[node] for node in nodes]
        names = labels(chance, max(nodes) + 1, shortest=1)
        for path, node in zip(paths, nodes, strict=True):
            path.append(names[node])
    return [[*path, "*"] for path in paths]


def labels(chance, size, *, shortest):
    """So many different labels, no two of which are spellings of one number."""
    found = {}
    while len(found) < size:
        label = "".join(chance.choices(LETTERS, k=chance.randint(shortest, 4)))
        if label != "*":
            found.setdefault(canonicalize_value(label), label)
    return list(found.values())
