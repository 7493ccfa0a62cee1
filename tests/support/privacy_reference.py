"""Privacy models in plain Python and exact fractions, to test both who enforces and who verifies.

A class is the list of its counts of every value of the file, in order; `totals` are the file's.
Limits are fractions, so that a figure exactly on its limit is decided without rounding. The
hierarchy of the examples has the values 0 and 1 under one node, 2 and 3 under another, 4 alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

Counts = list[int]

PARENTS = ["low", "low", "mid", "mid", "high"]
HEIGHT = 2


def shares(counts: Counts) -> list[Fraction]:
    return [Fraction(n, sum(counts)) for n in counts]


def distinct(counts: Counts, totals: Counts, l: Fraction) -> bool:  # noqa: E741
    return len([n for n in counts if n]) >= l


def entropy(counts: Counts, totals: Counts, l: Fraction) -> bool:  # noqa: E741
    """−Σ (n/N) ln (n/N) ≥ ln l, raised to whole powers: N^N / Π n^n ≥ l^N."""
    size = sum(counts)
    return Fraction(size) ** size >= l**size * math.prod(n**n for n in counts)


def recursive(counts: Counts, totals: Counts, c: Fraction, l: int) -> bool:  # noqa: E741
    falling = sorted(counts, reverse=True)
    return falling[0] < c * sum(falling[l - 1 :])


def alpha(counts: Counts, totals: Counts, limit: Fraction) -> bool:
    return max(shares(counts)) <= limit


def basic_beta(counts: Counts, totals: Counts, beta: Fraction) -> bool:
    pairs = zip(shares(counts), shares(totals), strict=True)
    return all((p - q) / q <= beta for p, q in pairs if p > q)


def enhanced_beta(counts: Counts, totals: Counts, beta: Fraction) -> bool:
    """−ln q is no fraction unless q = 1, so no gain can lie on it."""
    pairs = zip(shares(counts), shares(totals), strict=True)
    gains = [((p - q) / q, q) for p, q in pairs if p > q]
    return all(gain <= beta and gain <= -math.log(q) for gain, q in gains)


def delta(counts: Counts, totals: Counts, ratio: Fraction) -> bool:
    """|ln(p/q)| < ln ratio."""
    pairs = zip(shares(counts), shares(totals), strict=True)
    return all(1 / ratio < p / q < ratio for p, q in pairs if p)


def step(i: int, j: int, m: int) -> Fraction:
    """The ground distance of ordered values."""
    return Fraction(abs(i - j), m - 1) if m > 1 else Fraction(0)


def climb(i: int, j: int) -> Fraction:
    """The ground distance in the hierarchy."""
    return Fraction(0 if i == j else 1 if PARENTS[i] == PARENTS[j] else HEIGHT, HEIGHT)


def equal_distance(counts: Counts, totals: Counts) -> Fraction:
    pairs = zip(shares(counts), shares(totals), strict=True)
    return sum((abs(p - q) for p, q in pairs), Fraction(0)) / 2


def ordered_distance(counts: Counts, totals: Counts) -> Fraction:
    """Each share walks step by step to the right place: what must cross each gap."""
    p, q = shares(counts), shares(totals)
    gaps = range(1, len(p))
    return sum((abs(sum(p[:i]) - sum(q[:i])) * step(0, 1, len(p)) for i in gaps), Fraction(0))


def hierarchical_distance(counts: Counts, totals: Counts, values: list[int]) -> Fraction:
    """Moves what it can to the nearest places first, which is optimal in a hierarchy."""
    surplus = [p - q for p, q in zip(shares(counts), shares(totals), strict=True)]
    work = Fraction(0)
    for level in range(1, HEIGHT + 1):
        for i in range(len(surplus)):
            for j in range(len(surplus)):
                if climb(values[i], values[j]) == Fraction(level, HEIGHT):
                    moved = max(min(surplus[i], -surplus[j]), Fraction(0))
                    surplus[i], surplus[j] = surplus[i] - moved, surplus[j] + moved
                    work += moved * Fraction(level, HEIGHT)
    return work


@dataclass(frozen=True)
class SmallTable:
    """Rows (a, b, value); the values are 0 … 4."""

    rows: list[tuple[str | None, int, int]]

    @property
    def values(self) -> list[int]:
        """The values of the file, in order."""
        return sorted({row[2] for row in self.rows})

    @property
    def totals(self) -> Counts:
        """How often each value occurs."""
        return [sum(row[2] == value for row in self.rows) for value in self.values]

    @property
    def classes(self) -> dict[int, Counts]:
        """The first line of each class and its counts."""
        found: dict[tuple[str | None, int], tuple[int, Counts]] = {}
        for line, (a, b, value) in enumerate(self.rows, start=2):
            _, counts = found.setdefault((a, b), (line, [0] * len(self.values)))
            counts[self.values.index(value)] += 1
        return dict(found.values())


def random_tables(number: int) -> list[SmallTable]:
    """Tables of 1 to 40 rows in up to six classes with up to five uneven values."""
    tables = []
    for seed in range(number):
        chance = random.Random(seed)
        values = chance.sample(range(5), chance.randint(1, 5))
        weights = [chance.choice([1, 1, 2, 6]) for _ in values]
        classes = chance.sample([(a, b) for a in ("x", "[1;2]", None) for b in (0, 1)], k=6)
        classes = classes[: chance.randint(1, 6)]
        rows = [
            (*chance.choice(classes), chance.choices(values, weights)[0])
            for _ in range(chance.randint(1, 40))
        ]
        tables.append(SmallTable(rows))
    return tables


Fulfilled = Callable[[Counts, SmallTable], bool]


@dataclass(frozen=True)
class Model:
    """One privacy model with its limit: as the library reads it, and as the reference decides."""

    name: str
    limit: float
    fulfilled: Fulfilled
    extra: tuple[int, ...] = ()


def models(table: SmallTable, seed: int) -> list[Model]:
    """Every model with a limit that is round, or exactly a figure of one of the classes."""
    chance = random.Random(seed)
    some = chance.choice(list(table.classes.values()))
    totals, values = table.totals, table.values
    at = chance.choice([v for v, n in enumerate(some) if n])
    p, q = shares(some)[at], shares(totals)[at]
    l, at_l = chance.choice([2, 3, 4]), chance.choice([2, 3])  # noqa: E741
    tail = sum(sorted(some, reverse=True)[at_l - 1 :])
    c = chance.choice([Fraction(1, 2), Fraction(2), Fraction(max(some), tail or 1)])
    gain = chance.choice([Fraction(1, 2), Fraction(1), max((p - q) / q, Fraction(1, 10))])
    share = chance.choice([Fraction(1, 2), Fraction(7, 10), min(p, Fraction(9, 10))])
    ratio = chance.choice([Fraction(3, 2), Fraction(3), max(p / q, q / p, Fraction(11, 10))])
    real_l = chance.choice([Fraction(l), Fraction(3, 2), Fraction(5, 2)])

    def near(figure: Fraction) -> Fraction:
        return chance.choice([Fraction(1, 10), Fraction(1, 4), min(figure, Fraction(99, 100))])

    equal, ordered = near(equal_distance(some, totals)), near(ordered_distance(some, totals))
    tree = near(hierarchical_distance(some, totals, values))
    return [
        Model("l", l, lambda n, t: distinct(n, t.totals, Fraction(l))),
        Model("entropy-l", float(real_l), lambda n, t: entropy(n, t.totals, real_l)),
        Model("recursive", float(c), lambda n, t: recursive(n, t.totals, c, at_l), (at_l,)),
        Model("alpha", float(share), lambda n, t: alpha(n, t.totals, share)),
        Model("t", float(equal), lambda n, t: equal_distance(n, t.totals) <= equal),
        Model("t-ordered", float(ordered), lambda n, t: ordered_distance(n, t.totals) <= ordered),
        Model(
            "t-hierarchical",
            float(tree),
            lambda n, t: hierarchical_distance(n, t.totals, t.values) <= tree,
        ),
        Model("beta", float(gain), lambda n, t: basic_beta(n, t.totals, gain)),
        Model("enhanced-beta", float(gain), lambda n, t: enhanced_beta(n, t.totals, gain)),
        Model("delta", math.log(ratio), lambda n, t: delta(n, t.totals, ratio)),
    ]


NAMES = [model.name for model in models(SmallTable([("x", 0, 0)]), 0)]
