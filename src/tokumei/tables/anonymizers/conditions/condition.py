"""Conditions on the sensitive values of every class: "l=3", "recursive=3,2", "t-ordered=0.2", …

    condition = parse_condition("entropy-l=3")
    condition.rule, condition.params        # what verifies it

Below, p is the share of a value in a class, q its share in the whole release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.kernels.condition_checks import Checks, ConditionArrays, check_classes
from tokumei.tables.anonymizers.conditions.condition_forms import (
    T_HIERARCHICAL,
    ConditionForm,
    find_form,
)

HierarchyLevels = tuple[tuple[int, ...], ...]


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
                    "{condition}: {number:g} is not {needed}",
                    condition=self.form.name,
                    number=value,
                    needed=number.needed,
                )
        if self.form is T_HIERARCHICAL and not _is_nested(self.levels):
            raise UsageError("t-hierarchical: the levels must be nested and end in one root")

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
    def params(self) -> dict[str, object]:
        """The rule's parameters that this condition decides, as plain data."""
        names = (number.name for number in self.form.numbers)
        return dict(zip(names, self.numbers, strict=True)) | dict(self.form.fixed)


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
        raise UsageError("t-hierarchical needs a hierarchy of the sensitive column")
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
    return UsageError(
        "'{text}' is not a condition; write it like {form}={example} (l is a whole number)"
        if int in kinds
        else "'{text}' is not a condition; write it like {form}={example}",
        text=text,
        form=form.name,
        example=example,
    )
