"""What the classes of one table must fulfil besides k rows, asked by tuple numbers.

    guard = Guard.of(engine, found, columns)
    guard.require_possible()
    guard.allowed(class_of)             # one truth value per class 0 … n − 1
    holds(guard.checks, tuples)         # in compiled code

Methods know tuples of quasi-identifiers only; the guard knows how often each tuple occurs with
each sensitive value (the narrow waist: counts, never rows).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei.core.errors import InputError
from tokumei.kernels.verdict import Checks, classes_hold
from tokumei.tables.anonymizers.conditions.guarded_column import GuardedColumn
from tokumei.tables.anonymizers.conditions.protocol import demands_of
from tokumei.tables.engines.protocol import Engine, Frequencies


@dataclass(frozen=True, eq=False)
class Guard:
    """Guarded columns, and the tuples' counts of their values."""

    columns: tuple[GuardedColumn, ...]
    checks: Checks

    @classmethod
    def of(cls, engine: Engine, found: Frequencies, columns: Sequence[GuardedColumn]) -> Guard:
        """For the tuples of `found`; without columns a guard that allows everything."""
        parts = [_entries(engine, found, column) for column in columns]
        sizes = [len(column.values) for column in columns]
        offsets = np.cumsum([0, *sizes])
        none = np.zeros((3, 0), dtype=np.int64)
        for part, first in zip(parts, offsets, strict=False):
            part[1] += first
        tuples, values, counts = np.concatenate([none, *parts], axis=1)
        order = np.argsort(tuples, kind="stable")
        starts = np.searchsorted(tuples[order], np.arange(len(found.counts) + 1))
        nothing = demands_of([], np.zeros(offsets[-1]))
        checks = Checks.of(nothing, starts, values[order], counts[order], found.counts)
        return cls(tuple(columns), checks)._against(np.ones(len(found.counts), dtype=bool))

    def __bool__(self) -> bool:
        """Whether anything is demanded."""
        return bool(self.columns)

    @property
    def monotone(self) -> bool:
        """Whether unions of classes that hold always hold."""
        return all(condition.monotone for one in self.columns for condition in one.conditions)

    def allowed(self, class_of: np.ndarray) -> np.ndarray:
        """Which classes hold."""
        if not self:
            return np.ones(int(class_of.max(initial=-1)) + 1, dtype=bool)
        return classes_hold(self.checks, class_of)

    def without(self, gone: np.ndarray) -> Guard:
        """The guard of the table that is left when these tuples' rows are deleted."""
        return self._against(~gone)

    def require_possible(self) -> None:
        """Fail, naming the condition, if not even all rows as one class fulfil it."""
        everything = np.zeros(len(self.checks.rows), dtype=np.int64)
        if self.allowed(everything).all():
            return
        for column in self.columns:
            for condition in column.conditions:
                one = replace(column, conditions=(condition,))
                if not self._only(one).allowed(everything).all():
                    raise _impossible(column.name, condition.rule, condition.params)

    def _against(self, kept: np.ndarray) -> Guard:
        """Judged against the values of these tuples."""
        each = np.repeat(kept, np.diff(self.checks.starts))
        weights = np.where(each, self.checks.counts, 0)
        totals = np.bincount(self.checks.values, weights, len(self.checks.table)).astype(np.int64)
        ends = np.cumsum([len(column.values) for column in self.columns], dtype=np.int64)
        wanted = [
            (condition, int(end) - len(column.values), int(end))
            for column, end in zip(self.columns, ends, strict=True)
            for condition in column.conditions
        ]
        return Guard(self.columns, self.checks._replace(demands=demands_of(wanted, totals)))

    def _only(self, column: GuardedColumn) -> Guard:
        """With the conditions of this column alone."""
        kept = [
            column if one.name == column.name else replace(one, conditions=())
            for one in self.columns
        ]
        return Guard(tuple(kept), self.checks)._against(np.ones(len(self.checks.rows), dtype=bool))


def _entries(engine: Engine, found: Frequencies, column: GuardedColumn) -> np.ndarray:
    """Tuple, value and count of everything that occurs together."""
    pairs = engine.tuples([*found.columns, column.name])
    # Both are in ascending order of the same dictionaries: a new tuple begins where codes change.
    codes = pairs.codes[:, :-1]
    tuples = np.concatenate([[0], np.cumsum((codes[1:] != codes[:-1]).any(axis=1))])
    places = column.values.arg_sort(nulls_last=False).to_numpy()
    entries = np.stack([tuples, places[pairs.codes[:, -1]], pairs.counts]).astype(np.int64)
    known = ~pairs.values[-1].is_null().to_numpy()[pairs.codes[:, -1]]
    return entries[:, known] if column.is_person else entries


def _impossible(column: str, rule: str, params: dict[str, Any]) -> InputError:
    wanted = ", ".join(f"{name} = {value}" for name, value in params.items())
    return InputError(
        f"{rule} ({wanted}) cannot be met: for '{column}', not even all rows as a single "
        "class meet it",
        f"{rule} ({wanted}) は満たせません。全行を一つのクラスにしても、"
        f"'{column}' について成り立ちません",
    )
