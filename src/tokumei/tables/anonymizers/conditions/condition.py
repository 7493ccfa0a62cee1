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
from tokumei.core.messages import Message
from tokumei.kernels import condition_checks
from tokumei.kernels.condition_checks import Checks, ConditionArrays, check_classes

HierarchyLevels = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class ConditionNumber:
    """A number of a condition: its name in the rule, its type, which are good, in words too."""

    name: str
    kind: type[int] | type[float]
    good: Callable[[float], bool]
    needed: Message


@dataclass(frozen=True, eq=False)
class ConditionForm:
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
    numbers: tuple[ConditionNumber, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    monotone: bool = True
    gaps: bool = True


@dataclass(frozen=True)
class Condition:
    """A formula with its numbers; `levels` if it has a hierarchy.

    `levels[h]` numbers for every value its node h + 1 levels up; the last level is the root.
    """

    form: ConditionForm
    numbers: tuple[float, ...]
    levels: HierarchyLevels = ()

    def __post_init__(self) -> None:
        for number, value in zip(self.form.numbers, self.numbers, strict=True):
            if not number.good(value):
                raise UsageError(
                    f"{self.form.name}: {value:g} is not {number.needed.en}",
                    f"{self.form.name}: {value:g} は{number.needed.ja}ではありません",
                )
        if self.form is T_HIERARCHICAL and not _is_nested(self.levels):
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
        demands = encode_demands([(self, 0, len(totals))], np.asarray(totals))
        counts = np.asarray(histograms)[classes, values]
        checks = Checks.of(demands, starts, values, counts, np.asarray(sizes))
        return check_classes(checks, np.arange(len(sizes)))

    @property
    def rule(self) -> str:
        """The rule that verifies the release; its parameters are `params` and the columns."""
        return self.form.rule

    @property
    def params(self) -> dict[str, Any]:
        """The rule's parameters that this condition decides, as plain data."""
        names = (number.name for number in self.form.numbers)
        return dict(zip(names, self.numbers, strict=True)) | dict(self.form.fixed)


_AT_LEAST_TWO = (
    lambda number: number >= 2,
    Message("a whole number of at least 2", " 2 以上の整数"),
)
_ABOVE_ZERO = (lambda number: 0 < number < math.inf, Message("a number above 0", " 0 より大きい数"))
_ABOVE_ONE = (lambda number: 1 < number < math.inf, Message("a number above 1", " 1 より大きい数"))
_OPEN_SHARE = (
    lambda number: 0 < number < 1,
    Message("above 0 and below 1", " 0 より大きく 1 より小さい数"),
)
_DISTANCE_RANGE = (
    lambda number: 0 <= number < 1,
    Message("at least 0 and below 1", " 0 以上 1 未満の数"),
)

# At least l different values: a union shows every value that either class shows. An empty cell
# shows none, here and in the next three: only rows that have a value are looked at.
DISTINCT_L = ConditionForm(
    "l",
    condition_checks.DISTINCT,
    "l-diversity",
    (ConditionNumber("l", int, *_AT_LEAST_TWO),),
    gaps=False,
)
# The values being persons. The method has checked k itself.
K_PERSONS = ConditionForm(
    "persons",
    condition_checks.DISTINCT,
    "k-per-person",
    (ConditionNumber("k", int, *_AT_LEAST_TWO),),
    gaps=False,
)
# A class with somebody who asks for k people has k rows; a union has more rows than its parts.
PERSONAL_K = ConditionForm(
    "personal-k",
    condition_checks.NEED,
    "k-anonymity",
    (
        ConditionNumber("place", int, lambda place: place >= 0, Message("a place", "位置")),
        ConditionNumber("k", int, *_AT_LEAST_TWO),
    ),
)
# −Σ p ln p ≥ ln l: the shares of a union are a mean of those of its parts; entropy is concave.
ENTROPY_L = ConditionForm(
    "entropy-l",
    condition_checks.ENTROPY,
    "entropy-l-diversity",
    (ConditionNumber("l", float, *_ABOVE_ONE),),
    gaps=False,
)
# r₁ < c·(r_l + … + r_m), r the counts of the values, descending. The largest count of a union is at
# most the sum of the largest counts of its parts, and so are its l − 1 largest; what is left over
# is then at least the sum of what was left.
RECURSIVE_L = ConditionForm(
    "recursive",
    condition_checks.RECURSIVE,
    "recursive-l-diversity",
    (ConditionNumber("c", float, *_ABOVE_ZERO), ConditionNumber("l", int, *_AT_LEAST_TWO)),
    gaps=False,
)
# p ≤ α for every value (of (α,k)-anonymity): a share in a union is a mean of those in its parts.
ALPHA_SHARE = ConditionForm(
    "alpha", condition_checks.SHARE, "alpha-k", (ConditionNumber("alpha", float, *_OPEN_SHARE),)
)


def _closeness_form(name: str, kind: int, distance: str) -> ConditionForm:
    """The earth mover's distance between a class and the release is at most t.

    The distribution of a union is a mean of those of its parts, and the distance to a fixed
    distribution is convex.
    """
    t = ConditionNumber("t", float, *_DISTANCE_RANGE)
    return ConditionForm(name, kind, "t-closeness", (t,), {"distance": distance})


# ½ Σ |p − q| ≤ t: all values are equally far from each other.
T_EQUAL = _closeness_form("t", condition_checks.EQUAL, "equal")
# Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1) ≤ t: values are in order; m counts those of the release.
T_ORDERED = _closeness_form("t-ordered", condition_checks.ORDERED, "ordered")
# A move costs level(lowest common ancestor) / H.
T_HIERARCHICAL = _closeness_form("t-hierarchical", condition_checks.HIERARCHICAL, "hierarchical")


def _likeness_form(name: str, kind: int, enhanced: bool) -> ConditionForm:
    """A limit of each p that q alone fixes; a share in a union is a mean of those in its parts."""
    beta = ConditionNumber("beta", float, *_ABOVE_ZERO)
    return ConditionForm(name, kind, "beta-likeness", (beta,), {"enhanced": enhanced})


# (p − q)/q ≤ β wherever p > q.
BASIC_BETA = _likeness_form("beta", condition_checks.BASIC, enhanced=False)
# (p − q)/q ≤ min(β, −ln q) wherever p > q: frequent values are limited more.
ENHANCED_BETA = _likeness_form("enhanced-beta", condition_checks.ENHANCED, enhanced=True)
# |ln(p/q)| < δ for the values present in the class. Not monotone: a value that one class lacks is
# not looked at there, but thins out in the union. With δ = 0.7 the classes (1, 2), (0, 6) and
# (3, 3) all hold, the largest |ln(p/q)| being ln 1.875 = 0.63. In the union (1, 8) of the first
# two, p/q = (1/9)/(4/15) = 0.417, ln = −0.88.
DELTA_DISCLOSURE = ConditionForm(
    "delta",
    condition_checks.DELTA,
    "delta-disclosure",
    (ConditionNumber("delta", float, *_ABOVE_ZERO),),
    monotone=False,
)
_ALL_FORMS = (
    DISTINCT_L,
    ENTROPY_L,
    RECURSIVE_L,
    ALPHA_SHARE,
    T_EQUAL,
    T_ORDERED,
    T_HIERARCHICAL,
    BASIC_BETA,
    ENHANCED_BETA,
    DELTA_DISCLOSURE,
)
CONDITION_FORMS = {form.name: form for form in _ALL_FORMS}
"""What a person may ask for, by name."""


def find_form(text: str) -> ConditionForm:
    """What the name before the `=` stands for."""
    name = text.partition("=")[0].strip()
    if name not in CONDITION_FORMS:
        raise UnknownNameError(Message("condition", "条件"), name, CONDITION_FORMS)
    return CONDITION_FORMS[name]


def parse_condition(text: str, *, levels: Sequence[Sequence[int]] | None = None) -> Condition:
    """The condition `name=number`; `recursive=c,l` takes two. `levels`: for t-hierarchical."""
    form = find_form(text)
    _, equals, rest = text.partition("=")
    parts = rest.split(",") if equals else []
    if len(parts) != len(form.numbers):
        raise _invalid_condition_error(text, form)
    try:
        numbers = tuple(
            number_spec.kind(part) for number_spec, part in zip(form.numbers, parts, strict=True)
        )
    except ValueError:
        raise _invalid_condition_error(text, form) from None
    if form is not T_HIERARCHICAL:
        return Condition(form, numbers)
    if levels is None:
        raise UsageError(
            "t-hierarchical needs a hierarchy of the sensitive column",
            "t-hierarchical には機密属性の階層が必要です",
        )
    return Condition(form, numbers, tuple(tuple(level) for level in levels))


def encode_demands(
    ranged_conditions: Sequence[tuple[Condition, int, int]], totals: np.ndarray
) -> ConditionArrays:
    """Conditions as arrays, each with the stretch of values that it is about."""
    conditions = [condition for condition, _, _ in ranged_conditions]
    first, end = (
        np.array(
            [ranged_condition[field_index] for ranged_condition in ranged_conditions],
            dtype=np.int64,
        )
        for field_index in (1, 2)
    )
    trees = [_parent_arrays(condition.levels) for condition in conditions]
    sizes = np.array([tree.size for tree in trees], dtype=np.int64)
    rows = [int(totals[low:high].sum()) for _, low, high in ranged_conditions]
    limits = [(*condition.numbers, 0.0)[:2] for condition in conditions]
    return ConditionArrays(
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


def _parent_arrays(levels: HierarchyLevels) -> np.ndarray:
    """For each level, the parent of every node of the one below; nodes numbered from 0."""
    width = len(levels[0]) if levels else 0
    parents, below = np.zeros((len(levels), width), dtype=np.int64), np.arange(width)
    for height, level in enumerate(levels):
        nodes = np.unique(np.array(level), return_inverse=True)[1]
        parents[height, below] = nodes
        below = nodes
    return parents


def _is_nested(levels: HierarchyLevels) -> bool:
    nested = all(
        len(set(zip(low, high, strict=True))) == len(set(low)) for low, high in pairwise(levels)
    )
    return bool(levels) and len(set(levels[-1])) <= 1 and nested


def _invalid_condition_error(text: str, form: ConditionForm) -> UsageError:
    kinds = [number.kind for number in form.numbers]
    example = ",".join("2" if kind is int else "0.5" for kind in kinds)
    integer_hint = (
        Message(" (l is a whole number)", " (l は整数)") if int in kinds else Message("", "")
    )
    return UsageError(
        f"'{text}' is not a condition; write it like {form.name}={example}{integer_hint.en}",
        f"'{text}' は条件ではありません。{form.name}={example} のように書いてください"
        f"{integer_hint.ja}",
    )
