"""A sensitive column, or the one that names persons, and the conditions on it.

    column = sensitive_column(frame["illness"], ["l=3", "t-hierarchical=0.2"], "h_{column}.csv")
    column.params(column.conditions[0], released, k=5)      # what the rule that verifies it needs

Its values stand in the order in which an ordered distance walks through them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.tables.anonymizers.conditions.closeness import HierarchicalCloseness, OrderedCloseness
from tokumei.tables.anonymizers.conditions.diversity import Alpha, Persons
from tokumei.tables.anonymizers.conditions.parse import condition_name, parse_condition
from tokumei.tables.anonymizers.conditions.protocol import Condition
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy

Given = str | Mapping[str, str]


@dataclass(frozen=True, eq=False)
class GuardedColumn:
    """A column, its values (each once, in order), what they must fulfil, and their hierarchy."""

    name: str
    values: pl.Series
    conditions: tuple[Condition, ...]
    hierarchy: Hierarchy | None = None

    @property
    def is_person(self) -> bool:
        """Whether it names persons; a missing one counts for nobody."""
        return isinstance(self.conditions[0], Persons)

    def params(self, condition: Condition, released: pl.DataFrame, k: int) -> dict[str, Any]:
        """The parameters of the rule that verifies a condition, but for the columns.

        An order or hierarchy is given for the released values only.
        """
        params = dict(condition.params)
        if isinstance(condition, Alpha):
            params["k"] = k
        if isinstance(condition, OrderedCloseness) and not _by_size(self.values):
            params["order"] = [text for text, _ in self._shown(released)]
        if isinstance(condition, HierarchicalCloseness) and self.hierarchy is not None:
            params["hierarchy"] = {
                text: [self.hierarchy.label(level, node) for level, node in enumerate(nodes[1:], 1)]
                for text, nodes in self._shown(released)
            }
        return params

    def _shown(self, released: pl.DataFrame) -> list[tuple[str, list[int]]]:
        """The text and the nodes of every value that was released."""
        shown = self.values.is_in(released[self.name].unique().implode(), nulls_equal=True)
        texts = self.values.cast(pl.String).fill_null("")
        nodes = np.zeros((1, len(texts)), dtype=np.int64)
        if self.hierarchy is not None:
            nodes = self.hierarchy.up[:, self.hierarchy.leaf_codes(self.values)]
        pairs = zip(texts.to_list(), nodes.T.tolist(), shown.to_list(), strict=True)
        return [(text, path) for text, path, here in pairs if here]


def sensitive_column(series: pl.Series, texts: Sequence[str], given: Given) -> GuardedColumn:
    """The column with conditions from text; `given` says where its hierarchy is, if anywhere."""
    values = series.unique().sort(nulls_last=False)
    hierarchy = _hierarchy(series, texts, given)
    ordered = any(condition_name(text) == "t-ordered" for text in texts)
    if ordered and not (_by_size(values) or isinstance(values.dtype, pl.Enum)):
        values = values.gather(_leaf_order(values, hierarchy))
    levels = None
    if hierarchy is not None:
        levels = hierarchy.up[1:, hierarchy.leaf_codes(values)].tolist()
    conditions = tuple(parse_condition(text, levels=levels) for text in texts)
    return GuardedColumn(series.name, values, conditions, hierarchy)


def _hierarchy(series: pl.Series, texts: Sequence[str], given: Given) -> Hierarchy | None:
    """The hierarchy of the column if a condition needs one; none is ever made up."""
    names = {condition_name(text) for text in texts}
    needed = "t-hierarchical" in names or ("t-ordered" in names and not _by_size(series))
    if not needed or given in ("", AUTO):
        return None
    if not isinstance(given, str) and series.name not in given:
        return None
    return choose_hierarchies(given, series.to_frame(), [series.name])[series.name]


def _leaf_order(values: pl.Series, hierarchy: Hierarchy | None) -> np.ndarray:
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
