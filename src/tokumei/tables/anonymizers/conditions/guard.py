"""Tests the conditions on the classes of one table, by tuple numbers.

    columns = build_guarded_columns(frame["illness"], ["l=3", "t-hierarchical=0.2"],
    "h_{column}.csv") guard = Guard.of(engine, found, columns) guard.allowed(class_of)             #
    one truth value per class 0 … n − 1 holds(guard.checks, tuples)         # in compiled code

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
from tokumei.files.column_types import (
    infer_column_types,
    normalize_numbers,
    normalize_words,
    to_csv_text,
)
from tokumei.kernels.condition_checks import Checks, check_classes
from tokumei.tables.anonymizers.conditions.condition import (
    ALPHA_SHARE,
    K_PERSONS,
    T_HIERARCHICAL,
    T_ORDERED,
    Condition,
    encode_demands,
    find_form,
    parse_condition,
)
from tokumei.tables.data.column_encoding import dense_codes
from tokumei.tables.engines.protocol import Engine, TupleCounts
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy

HierarchySpec = str | Mapping[str, str]


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
        if condition.form is ALPHA_SHARE:
            params["k"] = k
        if condition.form is T_ORDERED and not _has_natural_order(self.values):
            params["order"] = [text for text, _ in self._released_values(released)]
        if condition.form is T_HIERARCHICAL and self.hierarchy is not None:
            params["hierarchy"] = {
                text: [self.hierarchy.label(level, node) for level, node in enumerate(nodes[1:], 1)]
                for text, nodes in self._released_values(released)
            }
        return params

    def _released_values(self, released: pl.DataFrame) -> list[tuple[str, list[int]]]:
        """The text, as it is written, and the nodes of every value that was released."""
        is_released = self.values.is_in(released[self.name].unique().implode(), nulls_equal=True)
        texts = to_csv_text(self.values.to_frame()).to_series().fill_null("")
        nodes = np.zeros((1, len(texts)), dtype=np.int64)
        if self.hierarchy is not None:
            nodes = self.hierarchy.up[:, self.hierarchy.leaf_codes(self.values)]
        pairs = zip(texts.to_list(), nodes.T.tolist(), is_released.to_list(), strict=True)
        return [(text, path) for text, path, was_released in pairs if was_released]


def build_guarded_columns(
    series: pl.Series, texts: Sequence[str], hierarchy_spec: HierarchySpec
) -> list[GuardedColumn]:
    """The column with conditions from text, in each way that its cells may be read.

    Once for those to whom an empty cell is a value, once for the others. As they are; and, where
    that tells more or fewer values apart, missing ones as empty text, and text as numbers and as
    words. `given` says where its hierarchy is, if anywhere.
    """
    text_groups = (
        [text for text in texts if find_form(text).gaps is counts_gaps]
        for counts_gaps in (False, True)
    )
    return [
        column
        for group_texts in text_groups
        if group_texts
        for column in _guard_each_reading(series, group_texts, hierarchy_spec)
    ]


def _guard_each_reading(
    series: pl.Series, texts: Sequence[str], hierarchy_spec: HierarchySpec
) -> list[GuardedColumn]:
    cells = series.unique().sort(nulls_last=False)
    numbers = infer_column_types(cells.to_frame()).to_series()
    ordered_texts = [
        text for text in texts if find_form(text) is T_ORDERED and _has_natural_order(numbers)
    ]
    other_texts = [text for text in texts if text not in ordered_texts]
    guarded = [_guard_reading(numbers, ordered_texts)] if ordered_texts else []
    guarded += [_guard_as_written(series, other_texts, hierarchy_spec)] if other_texts else []
    plain_texts = [
        text for text in other_texts if find_form(text) not in (T_ORDERED, T_HIERARCHICAL)
    ]
    if plain_texts and cells.dtype == pl.String:
        readings = [cells.fill_null(""), normalize_numbers(cells)]
        guarded += [
            _guard_reading(reading, plain_texts)
            for reading in readings
            if reading is not None and reading.n_unique() < len(reading)
        ]
        shown_texts = [text for text in plain_texts if find_form(text) is not K_PERSONS]
        if shown_texts and (words := normalize_words(cells)) is not None:
            guarded.append(_guard_reading(words, shown_texts))
    return guarded


def _guard_reading(cells: pl.Series, texts: Sequence[str]) -> GuardedColumn:
    """The column whose cells, in ascending order and each once, read like this."""
    values = cells.unique().sort(nulls_last=False)
    conditions = tuple(parse_condition(text) for text in texts)
    return GuardedColumn(cells.name, values, conditions, places=dense_codes(cells, values))


def _guard_as_written(
    series: pl.Series, texts: Sequence[str], hierarchy_spec: HierarchySpec
) -> GuardedColumn:
    values = series.unique().sort(nulls_last=False)
    hierarchy = _choose_hierarchy(series, texts, hierarchy_spec)
    is_ordered = any(find_form(text) is T_ORDERED for text in texts)
    if is_ordered and not (_has_natural_order(values) or isinstance(values.dtype, pl.Enum)):
        values = values.gather(_order_by_leaves(values, hierarchy))
    levels = None
    if hierarchy is not None:
        levels = hierarchy.up[1:, hierarchy.leaf_codes(values)].tolist()
    conditions = tuple(parse_condition(text, levels=levels) for text in texts)
    return GuardedColumn(series.name, values, conditions, hierarchy)


def _choose_hierarchy(
    series: pl.Series, texts: Sequence[str], hierarchy_spec: HierarchySpec
) -> Hierarchy | None:
    """The hierarchy of the column if a condition needs one; none is ever made up."""
    forms = [find_form(text) for text in texts]
    needs_hierarchy = T_HIERARCHICAL in forms or (
        T_ORDERED in forms and not _has_natural_order(series)
    )
    if not needs_hierarchy or hierarchy_spec in ("", AUTO):
        return None
    if not isinstance(hierarchy_spec, str) and series.name not in hierarchy_spec:
        return None
    return choose_hierarchies(hierarchy_spec, series.to_frame(), [series.name])[series.name]


def _order_by_leaves(values: pl.Series, hierarchy: Hierarchy | None) -> np.ndarray:
    if hierarchy is None and values.null_count() and _has_natural_order(values.drop_nulls()):
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


def _has_natural_order(values: pl.Series) -> bool:
    """Whether the values are ordered by themselves: numbers and dates, none missing."""
    is_measured = values.dtype.is_numeric() or values.dtype.is_temporal()
    return is_measured and not values.null_count()


@dataclass(frozen=True, eq=False)
class Guard:
    """Guarded columns, and the tuples' counts of their values."""

    columns: tuple[GuardedColumn, ...]
    checks: Checks

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
        return bool(self.columns)

    @property
    def monotone(self) -> bool:
        """Whether unions of classes that hold always hold."""
        return all(
            condition.form.monotone for column in self.columns for condition in column.conditions
        )

    def allowed(self, class_of: np.ndarray) -> np.ndarray:
        """Which classes hold."""
        if not self:
            return np.ones(int(class_of.max(initial=-1)) + 1, dtype=bool)
        return check_classes(self.checks, class_of)

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
        return Guard(
            self.columns, self.checks._replace(demands=encode_demands(ranged_conditions, totals))
        )


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
    rule = condition.rule
    return InputError(
        f"{rule} ({param_text}) cannot be met: for '{column}', not even all rows as a single "
        "class meet it",
        f"{rule} ({param_text}) は満たせません。全行を一つのクラスにしても、"
        f"'{column}' について成り立ちません",
    )
