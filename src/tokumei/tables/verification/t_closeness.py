"""Checks t-closeness: EMD of a class's sensitive values to the file's is at most t.

    TCloseness(0.2, ("age", "sex"), ("illness",))
    TCloseness(0.2, ("age", "sex"), ("income",), distance="ordered")
    TCloseness(0.2, ("age",), ("job",), distance="hierarchical", hierarchy="job.csv")

equal          ½ Σ |p − q|
ordered        Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1), over the m values of the file in order
hierarchical   moving a share costs level(lowest common ancestor) / H

The earth mover's distance is the least work that turns each class's distribution of values into the
file's, between 0 and 1. It is computed from the entries alone: a value that a class lacks costs no
time. Values are looked up by their text in the file, a missing one by the empty text. A value
without a place is an error that lists it.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.tables.verification.class_check_base import (
    TOLERANCE,
    ClassClaimCheck,
    ClassFindings,
    ClassValues,
)
from tokumei.tables.verification.protocol import ParameterRequirement


@dataclass(frozen=True)
class TCloseness(ClassClaimCheck):
    """Limits the earth mover's distance between every class and the whole file."""

    name: ClassVar[str] = "t-closeness"
    title: ClassVar[Message] = Message("t-closeness")
    sentence: ClassVar[Message] = Message(
        "Sensitive values are distributed in every class much as in the whole file."
    )
    demands: ClassVar = {
        "t": ParameterRequirement(
            lambda t: 0 <= t < 1,
            Message("{parameter} must be at least 0 and below 1, not {value}"),
        )
    }
    claim: ClassVar[Message] = Message(
        "in every class {sensitive} is distributed as in the whole file, within a distance of {t:g}"
    )

    t: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: tuple[str, ...] = ()
    """For `ordered`: the values from low to high; numbers and dates need none."""
    hierarchy: Mapping[str, tuple[str, ...]] | str | None = None
    """For `hierarchical`: each value's ancestors up to the root, or a file `leaf;level1;…;*`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.hierarchy is not None) != (self.distance == "hierarchical"):
            raise UsageError(
                "t-closeness: the hierarchical distance needs a hierarchy, the others none"
            )

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """The most distant first."""
        distances = self._class_distances(class_column)
        for place in class_column.largest_first(distances, distances > self.t * (1 + TOLERANCE)):
            finding = Message(
                "'{column}' at distance {distance:.6g} ({kind}) from the file; at most t = {t:g} "
                "allowed",
                column=class_column.column,
                distance=distances[place],
                kind=self.distance,
                t=self.t,
            )
            yield place, finding

    def _class_distances(self, class_column: ClassValues) -> np.ndarray:
        if self.distance == "ordered":
            return ordered_distance(class_column, rank_values(class_column.values, self.order))
        if self.hierarchy is not None:
            return hierarchical_distance(
                class_column, number_ancestors(class_column.values, self.hierarchy)
            )
        return equal_distance(class_column)


def equal_distance(class_column: ClassValues) -> np.ndarray:
    """Every move costs 1: ½ Σ |p − q| of each class."""
    return _share_differences(class_column, np.arange(len(class_column.values))) / 2


def hierarchical_distance(class_column: ClassValues, levels: Sequence[np.ndarray]) -> np.ndarray:
    """A move costs level(lowest common ancestor)/H; `levels` as `number_ancestors` gives them.

    Going up from a leaf to level h and down again uses 2h edges, so each edge costs 1/(2H), and
    over the edge above a node flows exactly the node's surplus |p − q|.
    """
    edges = [_share_differences(class_column, nodes) for nodes in levels[:-1]]
    return np.asarray(np.sum(edges, axis=0) / (2 * (len(levels) - 1)))


def ordered_distance(class_column: ClassValues, places: np.ndarray) -> np.ndarray:
    """A move over i of the m − 1 steps costs i/(m − 1): the area between the cumulated shares.

    Between two values of a class its cumulated share is level while the file's rises, so the two
    cross at most once; prefix sums give the area on both sides of the crossing.
    """
    steps = len(places) - 1
    if steps < 1:
        return np.zeros(len(class_column.first))
    rising = np.cumsum(class_column.total[np.argsort(places)])
    area = np.concatenate([[0], np.cumsum(rising)])
    order = np.lexsort((places[class_column.value], class_column.owner))
    owner, begin = class_column.owner[order], places[class_column.value[order]]
    is_first = np.diff(owner, prepend=-1) > 0
    end = np.where(np.roll(is_first, -1), steps + 1, np.roll(begin, -1))
    count = class_column.count[order]
    running = np.cumsum(count)
    class_running = running - (running - count)[is_first][np.cumsum(is_first) - 1]
    level = class_running * class_column.rows / class_column.size[owner]
    cross = np.clip(np.searchsorted(rising, level), begin, end)
    above = level * (cross - begin) - (area[cross] - area[begin])
    below = (area[end] - area[cross]) - level * (end - cross)
    before = area[begin[is_first]]
    between: np.ndarray = before + np.bincount(owner, above + below)
    return between / (class_column.rows * steps)


def _share_differences(class_column: ClassValues, nodes: np.ndarray) -> np.ndarray:
    """Σ |p − q| over nodes, each holding the values with its number, for every class.

    In whole numbers, so that equal shares differ by exactly 0. Nodes that a class lacks differ by
    their q: all q sum to 1, so those of the nodes present are taken off.
    """
    width = int(nodes.max(initial=0)) + 1
    keys, entry = np.unique(
        class_column.owner * width + nodes[class_column.value], return_inverse=True
    )
    owner, node = np.divmod(keys, width)
    count = np.bincount(entry, class_column.count, len(keys)).astype(np.int64)
    total = np.bincount(nodes, class_column.total, width).astype(np.int64)
    expected = class_column.size[owner] * total[node]
    surplus = np.abs(count * class_column.rows - expected) - expected
    whole = class_column.size * class_column.rows
    return np.asarray((np.bincount(owner, surplus, len(class_column.size)) + whole) / whole)


def rank_values(values: pl.Series, order: Sequence[str]) -> np.ndarray:
    """The rank (0, 1, …) of each value: as `order` says, else by size (numbers and dates)."""
    if order:
        rank = {text: place for place, text in enumerate(order)}
        texts = _match_texts(values, rank)
        if unknown := [text for text in texts if text not in rank]:
            raise InputError(
                Message(
                    "{count} value is missing from the order: {values}",
                    plural="{count:,} values are missing from the order: {values}",
                    count=len(unknown),
                    values=_list_values(unknown),
                )
            )
        order_of_value = np.array([rank[text] for text in texts], dtype=np.int64)
    else:
        if not (values.dtype.is_numeric() or values.dtype.is_temporal()) or values.null_count():
            raise UsageError(
                "column '{column}' has values that are not numbers: give their order",
                column=values.name,
            )
        order_of_value = values.rank("dense").to_numpy()
    return np.argsort(np.argsort(order_of_value))


def number_ancestors(
    values: pl.Series, hierarchy: Mapping[str, Sequence[str]] | str
) -> list[np.ndarray]:
    """For each level, leaves to root, the number of the node above each value."""
    paths = _read_hierarchy_file(hierarchy) if isinstance(hierarchy, str) else hierarchy
    require_nested(paths)
    texts = _match_texts(values, paths)
    if unknown := [text for text in texts if text not in paths]:
        raise InputError(
            Message(
                "{count} value is missing from the hierarchy: {values}",
                plural="{count:,} values are missing from the hierarchy: {values}",
                count=len(unknown),
                values=_list_values(unknown),
            )
        )
    chains = [(text, *paths[text]) for text in texts]
    height = len(next(iter(paths.values())))
    levels = ([chain[level] for chain in chains] for level in range(height + 1))
    return [np.unique(nodes, return_inverse=True)[1] for nodes in levels]


def require_nested(paths: Mapping[str, Sequence[str]]) -> None:
    """Fail unless all leaves have as many ancestors, nested, with one root."""
    heights = {len(path) for path in paths.values()}
    roots = {path[-1] for path in paths.values() if path}
    if len(heights) != 1 or len(roots) != 1:
        raise InputError(
            "hierarchy: every value needs the same number of ancestors and the same root"
        )
    parents: dict[tuple[int, str], str] = {}
    for path in paths.values():
        for level, (node, parent) in enumerate(pairwise(path)):
            _require_one_parent(node, parents.setdefault((level, node), parent), parent)


def _require_one_parent(node: str, first_parent: str, second_parent: str) -> None:
    if first_parent != second_parent:
        raise InputError(
            "hierarchy: '{node}' lies under both '{first_parent}' and '{second_parent}'",
            node=node,
            first_parent=first_parent,
            second_parent=second_parent,
        )


def _read_hierarchy_file(path: str) -> dict[str, tuple[str, ...]]:
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines, delimiter=";") if row]
    except (OSError, UnicodeDecodeError) as err:
        raise InputError("{path}: cannot be read: {reason}", path=path, reason=err) from None
    ancestors: dict[str, tuple[str, ...]] = {}
    for leaf, *above in rows:
        _require_one_parent(
            leaf, ";".join(ancestors.setdefault(leaf, tuple(above))), ";".join(above)
        )
    return ancestors


def _match_texts(values: pl.Series, known_texts: Mapping[str, object]) -> list[str]:
    """The values as the known texts; numbers and moments may be spelled otherwise than those."""
    texts: list[str] = values.cast(pl.String).fill_null("").to_list()
    if all(text in known_texts for text in texts):
        return texts
    text_by_meaning = {_parse_number_or_date(text): text for text in known_texts}
    return [
        text if text in known_texts else text_by_meaning.get(_parse_number_or_date(text), text)
        for text in texts
    ]


def _parse_number_or_date(text: str) -> float | datetime | str:
    for read in (float, datetime.fromisoformat):
        with suppress(ValueError):
            return read(text)
    return text


def _list_values(values: list[str]) -> Message:
    """The first of some values; how many more there are."""
    shown = join_messages(repr(text) for text in sorted(values)[:MAX_SHOWN_VIOLATIONS])
    if len(values) <= MAX_SHOWN_VIOLATIONS:
        return shown
    return Message("{values} (+{more})", values=shown, more=len(values) - MAX_SHOWN_VIOLATIONS)
