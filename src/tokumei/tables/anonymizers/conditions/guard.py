"""What the classes of one table must fulfil besides k rows, asked by tuple numbers.

    columns = sensitive_columns(frame["illness"], ["l=3", "t-hierarchical=0.2"], "h_{column}.csv")
    guard = Guard.of(engine, found, columns)
    guard.allowed(class_of)             # one truth value per class 0 … n − 1
    holds(guard.checks, tuples)         # in compiled code

Methods know tuples of quasi-identifiers only; the guard knows how often each tuple occurs with
each sensitive value (the narrow waist: counts, never rows).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UsageError
from tokumei.files.column_types import as_numbers, as_words, as_written, typed
from tokumei.kernels.verdict import Checks, classes_hold
from tokumei.tables.anonymizers.conditions.condition import (
    ALPHA,
    HIERARCHICAL,
    ORDERED,
    PERSONS,
    Condition,
    demands_of,
    form_of,
    parse_condition,
)
from tokumei.tables.data.codes import dense_codes
from tokumei.tables.engines.protocol import Engine, Frequencies
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy

Given = str | Mapping[str, str]


@dataclass(frozen=True, eq=False)
class GuardedColumn:
    """A column, its values (each once, in order), what they must fulfil, and their hierarchy.

    `places`: of each of the column's cells in ascending order, each once, the place in `values`.
    """

    name: str
    values: pl.Series
    conditions: tuple[Condition, ...]
    hierarchy: Hierarchy | None = None
    places: np.ndarray | None = None

    def params(self, condition: Condition, released: pl.DataFrame, k: int) -> dict[str, Any]:
        """The parameters of the rule that verifies a condition, but for the columns.

        An order or hierarchy is given for the released values only.
        """
        params = dict(condition.params)
        if condition.form is ALPHA:
            params["k"] = k
        if condition.form is ORDERED and not _by_size(self.values):
            params["order"] = [text for text, _ in self._shown(released)]
        if condition.form is HIERARCHICAL and self.hierarchy is not None:
            params["hierarchy"] = {
                text: [self.hierarchy.label(level, node) for level, node in enumerate(nodes[1:], 1)]
                for text, nodes in self._shown(released)
            }
        return params

    def _shown(self, released: pl.DataFrame) -> list[tuple[str, list[int]]]:
        """The text, as it is written, and the nodes of every value that was released."""
        shown = self.values.is_in(released[self.name].unique().implode(), nulls_equal=True)
        texts = as_written(self.values.to_frame()).to_series().fill_null("")
        nodes = np.zeros((1, len(texts)), dtype=np.int64)
        if self.hierarchy is not None:
            nodes = self.hierarchy.up[:, self.hierarchy.leaf_codes(self.values)]
        pairs = zip(texts.to_list(), nodes.T.tolist(), shown.to_list(), strict=True)
        return [(text, path) for text, path, here in pairs if here]


def sensitive_columns(series: pl.Series, texts: Sequence[str], given: Given) -> list[GuardedColumn]:
    """The column with conditions from text, in each way that its cells may be read.

    Once for those to whom an empty cell is a value, once for the others. As they are; and, where
    that tells more or fewer values apart, missing ones as empty text, and text as numbers and as
    words. `given` says where its hierarchy is, if anywhere.
    """
    alike = ([text for text in texts if form_of(text).gaps is gaps] for gaps in (False, True))
    return [column for some in alike if some for column in _readings(series, some, given)]


def _readings(series: pl.Series, texts: Sequence[str], given: Given) -> list[GuardedColumn]:
    cells = series.unique().sort(nulls_last=False)
    numbers = typed(cells.to_frame()).to_series()
    by_size = [text for text in texts if form_of(text) is ORDERED and _by_size(numbers)]
    rest = [text for text in texts if text not in by_size]
    found = [_read_as(numbers, by_size)] if by_size else []
    found += [_as_given(series, rest, given)] if rest else []
    plain = [text for text in rest if form_of(text) not in (ORDERED, HIERARCHICAL)]
    if plain and cells.dtype == pl.String:
        readings = [cells.fill_null(""), as_numbers(cells)]
        found += [
            _read_as(one, plain)
            for one in readings
            if one is not None and one.n_unique() < len(one)
        ]
        shown = [text for text in plain if form_of(text) is not PERSONS]
        if shown and (words := as_words(cells)) is not None:
            found.append(_read_as(words, shown))
    return found


def _read_as(cells: pl.Series, texts: Sequence[str]) -> GuardedColumn:
    """The column whose cells, in ascending order and each once, read like this."""
    values = cells.unique().sort(nulls_last=False)
    conditions = tuple(parse_condition(text) for text in texts)
    return GuardedColumn(cells.name, values, conditions, places=dense_codes(cells, values))


def _as_given(series: pl.Series, texts: Sequence[str], given: Given) -> GuardedColumn:
    values = series.unique().sort(nulls_last=False)
    hierarchy = _hierarchy(series, texts, given)
    ordered = any(form_of(text) is ORDERED for text in texts)
    if ordered and not (_by_size(values) or isinstance(values.dtype, pl.Enum)):
        values = values.gather(_leaf_order(values, hierarchy))
    levels = None
    if hierarchy is not None:
        levels = hierarchy.up[1:, hierarchy.leaf_codes(values)].tolist()
    conditions = tuple(parse_condition(text, levels=levels) for text in texts)
    return GuardedColumn(series.name, values, conditions, hierarchy)


def _hierarchy(series: pl.Series, texts: Sequence[str], given: Given) -> Hierarchy | None:
    """The hierarchy of the column if a condition needs one; none is ever made up."""
    forms = [form_of(text) for text in texts]
    needed = HIERARCHICAL in forms or (ORDERED in forms and not _by_size(series))
    if not needed or given in ("", AUTO):
        return None
    if not isinstance(given, str) and series.name not in given:
        return None
    return choose_hierarchies(given, series.to_frame(), [series.name])[series.name]


def _leaf_order(values: pl.Series, hierarchy: Hierarchy | None) -> np.ndarray:
    if hierarchy is None and values.null_count() and _by_size(values.drop_nulls()):
        raise UsageError(
            f"t-ordered: '{values.name}' has missing cells, which have no place among numbers; "
            "use t, for which they are a value like any other",
            f"t-ordered: '{values.name}' に欠損があり、数値の順序の中に位置がありません。"
            "欠損を一つの値として扱う t を使ってください",
        )
    if hierarchy is None:
        raise UsageError(
            f"t-ordered: the values of '{values.name}' are not numbers; give a hierarchy whose "
            "leaves stand in their order",
            f"t-ordered: '{values.name}' の値は数値ではありません。"
            "葉が順に並ぶ階層を指定してください",
        )
    return np.argsort(hierarchy.leaf_codes(values), kind="stable")


def _by_size(values: pl.Series) -> bool:
    """Whether the values are ordered by themselves: numbers and dates, none missing."""
    measured = values.dtype.is_numeric() or values.dtype.is_temporal()
    return measured and not values.null_count()


@dataclass(frozen=True, eq=False)
class Guard:
    """Guarded columns, and the tuples' counts of their values."""

    columns: tuple[GuardedColumn, ...]
    checks: Checks

    @classmethod
    def of(cls, engine: Engine, found: Frequencies, columns: Sequence[GuardedColumn]) -> Guard:
        """For the tuples of `found`; without columns a guard that allows everything.

        An error names the condition that not even all rows as one class fulfil.
        """
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
        guard = cls(tuple(columns), checks).against(np.ones(len(found.counts), dtype=bool))
        guard._require_possible()
        return guard

    def __bool__(self) -> bool:
        """Whether anything is demanded."""
        return bool(self.columns)

    @property
    def monotone(self) -> bool:
        """Whether unions of classes that hold always hold."""
        return all(condition.form.monotone for one in self.columns for condition in one.conditions)

    def allowed(self, class_of: np.ndarray) -> np.ndarray:
        """Which classes hold."""
        if not self:
            return np.ones(int(class_of.max(initial=-1)) + 1, dtype=bool)
        return classes_hold(self.checks, class_of)

    def _require_possible(self) -> None:
        everything = np.zeros(len(self.checks.rows), dtype=np.int64)
        if self.allowed(everything).all():
            return
        for column in self.columns:
            for condition in column.conditions:
                alone = [
                    replace(one, conditions=(condition,) if one is column else ())
                    for one in self.columns
                ]
                guard = Guard(tuple(alone), self.checks).against(everything == 0)
                if not guard.allowed(everything).all():
                    raise _impossible(column.name, condition)

    def against(self, kept: np.ndarray) -> Guard:
        """Judged against the values of these tuples, the rows of the others being deleted."""
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


def _entries(engine: Engine, found: Frequencies, column: GuardedColumn) -> np.ndarray:
    """Tuple, value and count of everything that occurs together."""
    pairs = engine.tuples([*found.columns, column.name])
    # Both are in ascending order of the same dictionaries: a new tuple begins where codes change.
    codes = pairs.codes[:, :-1]
    tuples = np.concatenate([[0], np.cumsum((codes[1:] != codes[:-1]).any(axis=1))])
    places = column.places
    if places is None:
        places = column.values.arg_sort(nulls_last=False).to_numpy()
    entries = np.stack([tuples, places[pairs.codes[:, -1]], pairs.counts]).astype(np.int64)
    if len(places) > len(column.values):  # each tuple and value once
        once, place = np.unique(entries[:2], axis=1, return_inverse=True)
        counts = np.bincount(place.ravel(), entries[2], once.shape[1]).astype(np.int64)
        entries = np.concatenate([once, counts[None]])
    if column.conditions[0].form.gaps:  # an empty cell is a value; all its conditions agree
        return entries
    texts = column.values.cast(pl.String).fill_null("")
    return entries[:, (texts != "").to_numpy()[entries[1]]]


def _impossible(column: str, condition: Condition) -> InputError:
    wanted = ", ".join(f"{name} = {value}" for name, value in condition.params.items())
    rule = condition.rule
    return InputError(
        f"{rule} ({wanted}) cannot be met: for '{column}', not even all rows as a single "
        "class meet it",
        f"{rule} ({wanted}) は満たせません。全行を一つのクラスにしても、"
        f"'{column}' について成り立ちません",
    )
