"""Sensitive columns, in each way their cells may be read, with the conditions on their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.files.column_types import (
    infer_column_types,
    normalize_numbers,
    normalize_words,
    to_csv_text,
)
from tokumei.tables.anonymizers.conditions.condition import Condition, parse_condition
from tokumei.tables.anonymizers.conditions.condition_forms import (
    ALPHA_SHARE,
    K_PERSONS,
    T_HIERARCHICAL,
    T_ORDERED,
    find_form,
)
from tokumei.tables.data.column_encoding import dense_codes
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

    def params(self, condition: Condition, released: pl.DataFrame, k: int) -> dict[str, object]:
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
            "t-ordered: '{column}' has missing cells, which have no place among numbers; use "
            "t, for which they are a value like any other",
            column=values.name,
        )
    if hierarchy is None:
        raise UsageError(
            "t-ordered: the values of '{column}' are not numbers; give a hierarchy whose leaves "
            "are in order",
            column=values.name,
        )
    return np.argsort(hierarchy.leaf_codes(values), kind="stable")


def _has_natural_order(values: pl.Series) -> bool:
    """Whether the values are ordered by themselves: numbers and dates, none missing."""
    is_measured = values.dtype.is_numeric() or values.dtype.is_temporal()
    return is_measured and not values.null_count()
