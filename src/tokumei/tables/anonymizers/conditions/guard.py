"""Tests the conditions on the classes of one table, by tuple numbers.

    columns = build_guarded_columns(frame["illness"], ["l=3", "t-hierarchical=0.2"],
    "h_{column}.csv") guard = Guard.of(engine, found, columns) guard.allowed(class_of)             #
    one truth value per class 0 … n − 1 holds(guard.checks, tuples)         # in compiled code

Methods know tuples of quasi-identifiers only; the guard knows how often each tuple occurs with
each sensitive value (the narrow waist: counts, never rows).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.kernels.condition_checks import Checks, check_classes
from tokumei.tables.anonymizers.conditions.condition import Condition, encode_demands
from tokumei.tables.anonymizers.conditions.guarded_columns import GuardedColumn
from tokumei.tables.anonymizers.conditions.risk_limits import RiskLimit, keep_within_limits
from tokumei.tables.engines.protocol import Engine, TupleCounts


@dataclass(frozen=True, eq=False)
class Guard:
    """Guarded columns, the tuples' counts of their values, and limits over all classes."""

    columns: tuple[GuardedColumn, ...]
    checks: Checks
    limits: tuple[RiskLimit, ...] = ()

    @classmethod
    def of(cls, engine: Engine, found: TupleCounts, columns: Sequence[GuardedColumn]) -> Guard:
        """For the tuples of `found`; without columns a guard that allows everything.

        An error names the condition that not even all rows as one class fulfil.
        """
        parts = [_count_entries(engine, found, column) for column in columns]
        sizes = [len(column.values) for column in columns]
        offsets = np.cumsum([0, *sizes])
        no_entries = np.zeros((3, 0), dtype=np.int64)
        for part, first in zip(parts, offsets, strict=False):
            part[1] += first
        tuples, values, counts = np.concatenate([no_entries, *parts], axis=1)
        order = np.argsort(tuples, kind="stable")
        starts = np.searchsorted(tuples[order], np.arange(len(found.counts) + 1))
        no_demands = encode_demands([], np.zeros(offsets[-1]))
        checks = Checks.of(no_demands, starts, values[order], counts[order], found.counts)
        guard = cls(tuple(columns), checks).against(np.ones(len(found.counts), dtype=bool))
        guard._require_possible()
        return guard

    def __bool__(self) -> bool:
        """Whether anything is demanded."""
        return bool(self.columns or self.limits)

    @property
    def monotone(self) -> bool:
        """Whether unions of classes that hold always hold."""
        return all(
            condition.form.monotone for column in self.columns for condition in column.conditions
        )

    def allowed(self, class_of: np.ndarray) -> np.ndarray:
        """Which classes hold; with limits over all classes, the smallest may have to go."""
        classes = int(class_of.max(initial=-1)) + 1
        is_allowed = np.ones(classes, dtype=bool)
        if self.columns:
            is_allowed = check_classes(self.checks, class_of)
        if not self.limits:
            return is_allowed
        in_class = class_of >= 0
        sizes = np.bincount(class_of[in_class], self.checks.rows[in_class], classes)
        return keep_within_limits(self.limits, sizes.astype(np.int64), is_allowed)

    def _require_possible(self) -> None:
        single_class = np.zeros(len(self.checks.rows), dtype=np.int64)
        if self.allowed(single_class).all():
            return
        for column in self.columns:
            for condition in column.conditions:
                reduced_columns = [
                    replace(other_column, conditions=(condition,) if other_column is column else ())
                    for other_column in self.columns
                ]
                guard = Guard(tuple(reduced_columns), self.checks).against(single_class == 0)
                if not guard.allowed(single_class).all():
                    raise _impossible_condition_error(column.name, condition)

    def against(self, is_kept: np.ndarray) -> Guard:
        """Judged against the values of these tuples, the rows of the others being deleted."""
        is_kept_entry = np.repeat(is_kept, np.diff(self.checks.starts))
        weights = np.where(is_kept_entry, self.checks.counts, 0)
        totals = np.bincount(self.checks.values, weights, len(self.checks.table)).astype(np.int64)
        ends = np.cumsum([len(column.values) for column in self.columns], dtype=np.int64)
        ranged_conditions = [
            (condition, int(end) - len(column.values), int(end))
            for column, end in zip(self.columns, ends, strict=True)
            for condition in column.conditions
        ]
        demands = encode_demands(ranged_conditions, totals)
        return replace(self, checks=self.checks._replace(demands=demands))


def _count_entries(engine: Engine, tuple_counts: TupleCounts, column: GuardedColumn) -> np.ndarray:
    """Tuple, value and count of everything that occurs together."""
    pairs = engine.tuples([*tuple_counts.columns, column.name])
    # Both are in ascending order of the same dictionaries: a new tuple begins where codes change.
    codes = pairs.codes[:, :-1]
    tuples = np.concatenate([[0], np.cumsum((codes[1:] != codes[:-1]).any(axis=1))])
    places = column.places
    if places is None:
        places = column.values.arg_sort(nulls_last=False).to_numpy()
    entries = np.stack([tuples, places[pairs.codes[:, -1]], pairs.counts]).astype(np.int64)
    if len(places) > len(column.values):  # each tuple and value once
        distinct_pairs, pair_index = np.unique(entries[:2], axis=1, return_inverse=True)
        counts = np.bincount(pair_index.ravel(), entries[2], distinct_pairs.shape[1]).astype(
            np.int64
        )
        entries = np.concatenate([distinct_pairs, counts[None]])
    if column.conditions[0].form.gaps:  # an empty cell is a value; all its conditions agree
        return entries
    texts = column.values.cast(pl.String).fill_null("")
    return entries[:, (texts != "").to_numpy()[entries[1]]]


def _impossible_condition_error(column: str, condition: Condition) -> InputError:
    param_text = ", ".join(f"{name} = {value}" for name, value in condition.params.items())
    return InputError(
        "{rule} ({parameters}) cannot be met: for '{column}', not even all rows as a single class "
        "meet it",
        rule=condition.rule,
        parameters=param_text,
        column=column,
    )
