"""Where the values of a column stand: in an order, or in a hierarchy.

Values are looked up by their text in the file, a missing one by the empty text. A value without
a place is an error that lists it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.errors import FAULTS_SHOWN, InputError, UsageError
from tokumei.core.text import Text


def value_places(values: pl.Series, order: Sequence[str]) -> np.ndarray:
    """The rank (0, 1, …) of each value: as `order` says, else by size (numbers and dates)."""
    if order:
        rank = {text: place for place, text in enumerate(order)}
        texts = _texts(values)
        _require_known([text for text in texts if text not in rank], Text("order", "順序"))
        at = np.array([rank[text] for text in texts], dtype=np.int64)
    else:
        _require_measurable(values)
        at = values.rank("dense").to_numpy()
    return np.argsort(np.argsort(at))


def value_levels(
    values: pl.Series, hierarchy: Mapping[str, Sequence[str]] | str
) -> list[np.ndarray]:
    """For each level, leaves to root, the number of the node above each value."""
    paths = _read(hierarchy) if isinstance(hierarchy, str) else hierarchy
    require_nested(paths)
    texts = _texts(values)
    _require_known([text for text in texts if text not in paths], Text("hierarchy", "階層"))
    chains = [(text, *paths[text]) for text in texts]
    height = len(next(iter(paths.values())))
    return [_numbered(chain[level] for chain in chains) for level in range(height + 1)]


def require_nested(paths: Mapping[str, Sequence[str]]) -> None:
    """Fail unless all leaves have as many ancestors, nested, with one root."""
    heights = {len(path) for path in paths.values()}
    roots = {path[-1] for path in paths.values() if path}
    if len(heights) != 1 or len(roots) != 1:
        raise InputError(
            "hierarchy: every value needs the same number of ancestors and the same root",
            "階層: どの値も祖先の数と根が同じでなければなりません",
        )
    parents: dict[tuple[int, str], str] = {}
    for path in paths.values():
        for level, (node, parent) in enumerate(pairwise(path)):
            _require_same(node, parents.setdefault((level, node), parent), parent)


def _require_same(node: str, known: str, found: str) -> None:
    if known != found:
        raise InputError(
            f"hierarchy: '{node}' lies under both '{known}' and '{found}'",
            f"階層: '{node}' が '{known}' と '{found}' の両方に属します",
        )


def _read(path: str) -> dict[str, tuple[str, ...]]:
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines, delimiter=";") if row]
    except (OSError, UnicodeDecodeError) as err:
        raise InputError(f"{path}: cannot be read: {err}", f"{path}: 読めません: {err}") from None
    found: dict[str, tuple[str, ...]] = {}
    for leaf, *above in rows:
        _require_same(leaf, ";".join(found.setdefault(leaf, tuple(above))), ";".join(above))
    return found


def _texts(values: pl.Series) -> list[str]:
    return values.cast(pl.String).fill_null("").to_list()


def _numbered(nodes: Iterable[str]) -> np.ndarray:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(node, len(numbers)) for node in nodes], dtype=np.int64)


def _require_measurable(values: pl.Series) -> None:
    if not (values.dtype.is_numeric() or values.dtype.is_temporal()) or values.null_count():
        raise UsageError(
            f"column '{values.name}' has values that are not numbers: give their order",
            f"列 '{values.name}' に数値でない値があります。順序を指定してください",
        )


def _require_known(unknown: list[str], place: Text) -> None:
    if unknown:
        shown = ", ".join(repr(text) for text in sorted(unknown)[:FAULTS_SHOWN])
        more = f" (+{len(unknown) - FAULTS_SHOWN})" if len(unknown) > FAULTS_SHOWN else ""
        raise InputError(
            f"{len(unknown)} value(s) are missing from the {place.en}: {shown}{more}",
            f"{place.ja}にない値が {len(unknown)} 種あります: {shown}{more}",
        )
