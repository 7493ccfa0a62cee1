"""Small recoding problems with random hierarchies, and Adult as one."""

from __future__ import annotations

import csv

import numpy as np

from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem

LEAVES = (1, 2, 3, 5, 5, 9)
"""Numbers of leaves whose NCP is a sum of powers of two: float sums are exact, ties are ties."""


def problem_of(codes, counts, up):
    """A problem with the NCP of its hierarchies."""
    up = tuple(np.array(levels) for levels in up)
    widths = [np.array([np.bincount(row)[row] for row in levels]) for levels in up]
    cost = tuple((width - 1) / max(width.shape[1] - 1, 1) for width in widths)
    codes, counts = np.array(codes, dtype=np.int32), np.array(counts, dtype=np.int64)
    return RecodingProblem(codes, counts, up, cost)


def random_hierarchy(rng, *, leaves, height):
    """Nested levels: nodes are merged at random, the last level is one node."""
    levels = [np.arange(leaves)]
    for left in range(height - 1, -1, -1):
        nodes = levels[-1].max() + 1
        merged = rng.integers(0, rng.integers(1, nodes + 1), nodes) if left else np.zeros(nodes)
        levels.append(np.unique(merged, return_inverse=True)[1][levels[-1]])
    return np.array(levels)


def random_problem(seed, *, tuples=14, columns=4, height=3):
    """Up to so many distinct tuples, each of 1 to 4 rows."""
    rng = np.random.default_rng(seed)
    leaves = rng.choice(LEAVES, rng.integers(1, columns + 1))
    heights = np.where(leaves > 1, rng.integers(1, height + 1, len(leaves)), 0)
    up = [random_hierarchy(rng, leaves=n, height=h) for n, h in zip(leaves, heights, strict=True)]
    drawn = np.array([rng.integers(0, levels.shape[1], tuples) for levels in up]).T
    codes = np.unique(drawn, axis=0)
    return problem_of(codes, rng.integers(1, 5, len(codes)), up)


def wide_problem(seed, *, columns, rows=400, branch=4, height=3):
    """Many columns with regular hierarchies; small values are frequent."""
    rng = np.random.default_rng(seed)
    leaves = branch**height
    up = np.array([np.arange(leaves) // branch**level for level in range(height + 1)])
    drawn = np.minimum(rng.geometric(0.4, (rows, columns)) - 1, leaves - 1)
    codes, counts = np.unique(drawn, axis=0, return_counts=True)
    return problem_of(codes, counts, [up] * columns)


def adult_problem(folder):
    """Adult's eight quasi-identifiers: all columns but the occupation."""
    head, *rows = _cells(folder / "adult.csv")
    up, drawn = [], []
    for j, name in enumerate(head):
        if name != "occupation":
            labels = np.array(_cells(folder / f"adult_hierarchy_{name}.csv")).T
            places = [np.unique(level, return_inverse=True)[1] for level in labels]
            leaf = dict(zip(labels[0].tolist(), places[0].tolist(), strict=True))
            order = np.argsort(places[0])
            up.append(np.array([level[order] for level in places]))
            drawn.append([leaf[row[j]] for row in rows])
    codes, counts = np.unique(np.array(drawn).T, axis=0, return_counts=True)
    return problem_of(codes, counts, up)


def _cells(path):
    with path.open(newline="") as file:
        return list(csv.reader(file, delimiter=";"))


def write_wide_table(folder, *, columns, rows):
    """t.csv with columns of 3 to 6 levels and h_{column}.csv for each; the columns' names."""
    rng = np.random.default_rng(columns)
    names, drawn = [f"q{j}" for j in range(columns)], []
    for j, name in enumerate(names):
        levels, branch = 3 + j % 4, 3 if j % 4 == 1 else 2
        leaves = branch ** (levels - 1)
        drawn.append(np.minimum(rng.geometric(0.25, rows) - 1, leaves - 1))
        lines = []
        for leaf in range(leaves):
            above = [f"n{level}_{leaf // branch**level}" for level in range(1, levels - 1)]
            lines.append(";".join([f"v{leaf}", *above, "*"]))
        (folder / f"h_{name}.csv").write_text("\n".join(lines) + "\n")
    cells = [",".join(f"v{code}" for code in row) for row in zip(*drawn, strict=True)]
    (folder / "t.csv").write_text("\n".join([",".join(names), *cells]) + "\n")
    return names
