"""Conditions on the sensitive values of every class: "l=3", "recursive=3,2", "t-ordered=0.2", …

    condition = parse_condition("entropy-l=3")
    condition.rule, condition.params        # what verifies it

Below, p is the share of a value in a class, q its share in the whole release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.kernels import verdict
from tokumei.kernels.verdict import Checks, Demands, classes_hold

Levels = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Number:
    """A number of a condition: its name in the rule, its type, which are good, in words too."""

    name: str
    kind: type[int] | type[float]
    good: Callable[[float], bool]
    needed: Text


@dataclass(frozen=True, eq=False)
class Form:
    """A formula of `verdict`, the rule that verifies the release, and the rule's parameters.

    `monotone`: the union of two classes that fulfil it fulfils it too, as long as the values of
    the whole release stay the same. A search may then stop at the first coarsening that holds, and
    need not look above it; without it, it must test every candidate. Dropping rows changes q:
    conditions that compare with it (closeness, likeness) must be tested anew. `gaps`: whether an
    empty cell is a value like others.
    """

    name: str
    kind: int
    rule: str
    numbers: tuple[Number, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    monotone: bool = True
    gaps: bool = True


@dataclass(frozen=True)
class Condition:
    """A formula with its numbers; `levels` if it has a hierarchy.

    `levels[h]` numbers for every value its node h + 1 levels up; the last level is the root.
    """

    form: Form
    numbers: tuple[float, ...]
    levels: Levels = ()

    def __post_init__(self) -> None:
        for number, given in zip(self.form.numbers, self.numbers, strict=True):
            if not number.good(given):
                raise UsageError(
                    f"{self.form.name}: {given:g} is not {number.needed.en}",
                    f"{self.form.name}: {given:g} は{number.needed.ja}ではありません",
                )
        if self.form is HIERARCHICAL and not _is_tree(self.levels):
            raise UsageError(
                "t-hierarchical: the levels must be nested and end in one root",
                "t-hierarchical: 階層は入れ子で、一つの根に至らなければなりません",
            )

    def holds(self, histograms: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Which classes fulfil it; an empty class does.

        `histograms[i, v]` counts the rows of class i with value v, `sizes[i]` its rows, and
        `totals[v]` the rows of the whole release with value v.
        """
        if histograms.shape != (len(sizes), len(totals)):
            raise ValueError("histograms must have a row per size and a column per total")
        classes, values = np.nonzero(histograms)
        starts = np.searchsorted(classes, np.arange(len(sizes) + 1))
        demands = demands_of([(self, 0, len(totals))], np.asarray(totals))
        counts = np.asarray(histograms)[classes, values]
        checks = Checks.of(demands, starts, values, counts, np.asarray(sizes))
        return classes_hold(checks, np.arange(len(sizes)))

    @property
    def rule(self) -> str:
        """The rule that verifies the release; its parameters are `params` and the columns."""
        return self.form.rule

    @property
    def params(self) -> dict[str, Any]:
        """The rule's parameters that this condition decides, as plain data."""
        names = (number.name for number in self.form.numbers)
        return dict(zip(names, self.numbers, strict=True)) | dict(self.form.fixed)


_AT_LEAST_2 = (lambda number: number >= 2, Text("a whole number of at least 2", " 2 以上の整数"))
_ABOVE_0 = (lambda number: 0 < number < math.inf, Text("a number above 0", " 0 より大きい数"))
_ABOVE_1 = (lambda number: 1 < number < math.inf, Text("a number above 1", " 1 より大きい数"))
_SHARE = (
    lambda number: 0 < number < 1,
    Text("above 0 and below 1", " 0 より大きく 1 より小さい数"),
)
_DISTANCE = (lambda number: 0 <= number < 1, Text("at least 0 and below 1", " 0 以上 1 未満の数"))

# At least l different values: a union shows every value that either class shows. An empty cell
# shows none, here and in the next three: only rows that have a value are looked at.
DISTINCT = Form("l", verdict.DISTINCT, "l-diversity", (Number("l", int, *_AT_LEAST_2),), gaps=False)
# The values being persons. The method has checked k itself.
PERSONS = Form(
    "persons", verdict.DISTINCT, "k-per-person", (Number("k", int, *_AT_LEAST_2),), gaps=False
)
# A class with somebody who asks for k people has k rows; a union has more rows than its parts.
PERSONAL = Form(
    "personal-k",
    verdict.NEED,
    "k-anonymity",
    (
        Number("place", int, lambda place: place >= 0, Text("a place", "位置")),
        Number("k", int, *_AT_LEAST_2),
    ),
)
# −Σ p ln p ≥ ln l: the shares of a union are a mean of those of its parts; entropy is concave.
ENTROPY = Form(
    "entropy-l",
    verdict.ENTROPY,
    "entropy-l-diversity",
    (Number("l", float, *_ABOVE_1),),
    gaps=False,
)
# r₁ < c·(r_l + … + r_m), r the counts of the values, descending. The largest count of a union is at
# most the sum of the largest counts of its parts, and so are its l − 1 largest; what is left over
# is then at least the sum of what was left.
RECURSIVE = Form(
    "recursive",
    verdict.RECURSIVE,
    "recursive-l-diversity",
    (Number("c", float, *_ABOVE_0), Number("l", int, *_AT_LEAST_2)),
    gaps=False,
)
# p ≤ α for every value (of (α,k)-anonymity): a share in a union is a mean of those in its parts.
ALPHA = Form("alpha", verdict.SHARE, "alpha-k", (Number("alpha", float, *_SHARE),))


def _closeness(name: str, kind: int, distance: str) -> Form:
    """The earth mover's distance between a class and the release is at most t.

    The distribution of a union is a mean of those of its parts, and the distance to a fixed
    distribution is convex.
    """
    t = Number("t", float, *_DISTANCE)
    return Form(name, kind, "t-closeness", (t,), {"distance": distance})


# ½ Σ |p − q| ≤ t: all values are equally far from each other.
EQUAL = _closeness("t", verdict.EQUAL, "equal")
# Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1) ≤ t: values are in order; m counts those of the release.
ORDERED = _closeness("t-ordered", verdict.ORDERED, "ordered")
# A move costs level(lowest common ancestor) / H.
HIERARCHICAL = _closeness("t-hierarchical", verdict.HIERARCHICAL, "hierarchical")


def _likeness(name: str, kind: int, enhanced: bool) -> Form:
    """A limit of each p that q alone fixes; a share in a union is a mean of those in its parts."""
    beta = Number("beta", float, *_ABOVE_0)
    return Form(name, kind, "beta-likeness", (beta,), {"enhanced": enhanced})


# (p − q)/q ≤ β wherever p > q.
BASIC = _likeness("beta", verdict.BASIC, enhanced=False)
# (p − q)/q ≤ min(β, −ln q) wherever p > q: frequent values are limited more.
ENHANCED = _likeness("enhanced-beta", verdict.ENHANCED, enhanced=True)
# |ln(p/q)| < δ for the values present in the class. Not monotone: a value that one class lacks is
# not looked at there, but thins out in the union. With δ = 0.7 the classes (1, 2), (0, 6) and
# (3, 3) all hold, the largest |ln(p/q)| being ln 1.875 = 0.63. In the union (1, 8) of the first
# two, p/q = (1/9)/(4/15) = 0.417, ln = −0.88.
DELTA = Form(
    "delta", verdict.DELTA, "delta-disclosure", (Number("delta", float, *_ABOVE_0),), monotone=False
)
_ALL = DISTINCT, ENTROPY, RECURSIVE, ALPHA, EQUAL, ORDERED, HIERARCHICAL, BASIC, ENHANCED, DELTA
FORMS = {form.name: form for form in _ALL}
"""What a person may ask for, by name."""


def form_of(text: str) -> Form:
    """What the name before the `=` stands for."""
    name = text.partition("=")[0].strip()
    if name not in FORMS:
        raise UnknownNameError(Text("condition", "条件"), name, FORMS)
    return FORMS[name]


def parse_condition(text: str, *, levels: Sequence[Sequence[int]] | None = None) -> Condition:
    """The condition `name=number`; `recursive=c,l` takes two. `levels`: for t-hierarchical."""
    form = form_of(text)
    _, equals, rest = text.partition("=")
    parts = rest.split(",") if equals else []
    if len(parts) != len(form.numbers):
        raise _wrong(text, form)
    try:
        numbers = tuple(one.kind(part) for one, part in zip(form.numbers, parts, strict=True))
    except ValueError:
        raise _wrong(text, form) from None
    if form is not HIERARCHICAL:
        return Condition(form, numbers)
    if levels is None:
        raise UsageError(
            "t-hierarchical needs a hierarchy of the sensitive column",
            "t-hierarchical には機密属性の階層が必要です",
        )
    return Condition(form, numbers, tuple(tuple(level) for level in levels))


def demands_of(wanted: Sequence[tuple[Condition, int, int]], totals: np.ndarray) -> Demands:
    """Conditions as arrays, each with the stretch of values that it is about."""
    conditions = [condition for condition, _, _ in wanted]
    first, end = (np.array([one[at] for one in wanted], dtype=np.int64) for at in (1, 2))
    trees = [_parents(condition.levels) for condition in conditions]
    sizes = np.array([tree.size for tree in trees], dtype=np.int64)
    rows = [int(totals[low:high].sum()) for _, low, high in wanted]
    limits = [(*condition.numbers, 0.0)[:2] for condition in conditions]
    return Demands(
        kinds=np.array([condition.form.kind for condition in conditions], dtype=np.int64),
        limits=np.array(limits, dtype=np.float64).reshape(-1, 2),
        first=first,
        end=end,
        rows=np.array(rows, dtype=np.int64),
        totals=totals.astype(np.int64),
        heights=np.array([len(tree) for tree in trees], dtype=np.int64),
        trees=np.cumsum(sizes) - sizes,
        parents=np.concatenate([np.zeros(0, np.int64), *(tree.ravel() for tree in trees)]),
    )


def _parents(levels: Levels) -> np.ndarray:
    """For each level, the parent of every node of the one below; nodes numbered from 0."""
    width = len(levels[0]) if levels else 0
    parents, below = np.zeros((len(levels), width), dtype=np.int64), np.arange(width)
    for height, level in enumerate(levels):
        nodes = np.unique(np.array(level), return_inverse=True)[1]
        parents[height, below] = nodes
        below = nodes
    return parents


def _is_tree(levels: Levels) -> bool:
    nested = all(
        len(set(zip(low, high, strict=True))) == len(set(low)) for low, high in pairwise(levels)
    )
    return bool(levels) and len(set(levels[-1])) <= 1 and nested


def _wrong(text: str, form: Form) -> UsageError:
    kinds = [number.kind for number in form.numbers]
    example = ",".join("2" if kind is int else "0.5" for kind in kinds)
    whole = Text(" (l is a whole number)", " (l は整数)") if int in kinds else Text("", "")
    return UsageError(
        f"'{text}' is not a condition; write it like {form.name}={example}{whole.en}",
        f"'{text}' は条件ではありません。{form.name}={example} のように書いてください{whole.ja}",
    )
