"""The formulas that a condition may have, each with the rule that verifies it.

Below, p is the share of a value in a class, q its share in the whole release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message
from tokumei.kernels import condition_checks
from tokumei.tables.anonymizers.conditions.risk_limits import RISK_LIMIT_FORMS


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
    fixed: Mapping[str, object] = field(default_factory=dict)
    monotone: bool = True
    gaps: bool = True


_AT_LEAST_TWO = (lambda number: number >= 2, Message("a whole number of at least 2"))
_ABOVE_ZERO = (lambda number: 0 < number < math.inf, Message("a number above 0"))
_ABOVE_ONE = (lambda number: 1 < number < math.inf, Message("a number above 1"))
_OPEN_SHARE = (lambda number: 0 < number < 1, Message("above 0 and below 1"))
_DISTANCE_RANGE = (lambda number: 0 <= number < 1, Message("at least 0 and below 1"))
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
        ConditionNumber("place", int, lambda place: place >= 0, Message("a place")),
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
        raise UnknownNameError(Message("condition"), name, [*CONDITION_FORMS, *RISK_LIMIT_FORMS])
    return CONDITION_FORMS[name]
