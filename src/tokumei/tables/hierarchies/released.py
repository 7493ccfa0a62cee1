"""What the labels of a release stand for: the hierarchies that travel with it, in its manifest.

    manifest | travelling(steps, qi)                          # what is written beside a release
    hierarchies_of(read_manifest("y.csv"), original, released, qi)      # what is read there

Whoever gets labels must know what they stand for: a hierarchy from a file is taken for public
knowledge and travels whole, with the leaves that nobody has. One that was made from the source's
own values (`auto`) would say which values occur: it travels as that word, and whoever has the
original makes it again. Built-in ones travel by their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tokumei.core.errors import InputError
from tokumei.files import releases
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.hierarchies.builtin import BUILTIN
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.files import PLACE, read_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.known import KNOWN

KEY = "hierarchies"
MOST_LEAVES = 10_000
"""A larger hierarchy does not travel: it must be given where the release is read."""
Steps = Sequence[Mapping[str, Any]]


def travelling(steps: Steps, columns: Sequence[str]) -> dict[str, Any]:
    """The part of a manifest that explains labels; nothing if no hierarchy was used."""
    found = {name: _plain(given, name) for name, given in _given(steps, columns).items()}
    kept = {name: entry for name, entry in found.items() if entry is not None}
    return {KEY: kept} if kept else {}


def step_hierarchies(
    steps: Steps, original: pl.DataFrame, released: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Hierarchy]:
    """The hierarchies that the methods of a release used."""
    return _needed(_given(steps, columns), original, released)


def read_manifest(release: str) -> dict[str, Any]:
    """What lies beside a release; nothing if nothing does."""
    found = releases.read_manifest(release)
    if not isinstance(found.get(KEY, {}), dict):
        raise releases.damaged_manifest(f"{release}.manifest.json")
    return found


def hierarchies_of(
    manifest: Mapping[str, Any],
    original: pl.DataFrame,
    released: pl.DataFrame,
    columns: Sequence[str],
) -> dict[str, Hierarchy]:
    """The hierarchies that travelled with a release."""
    wanted = {name: given for name, given in manifest.get(KEY, {}).items() if name in columns}
    rows = {name: one for name, one in wanted.items() if isinstance(one, list)}
    made = {name: Hierarchy.of(name, _labels(one, name)) for name, one in rows.items()}
    # Never a path: a manifest may come from anybody.
    named = {name: one for name, one in wanted.items() if one in (AUTO, *BUILTIN, *KNOWN)}
    return made | _needed(named, original, released)


def _needed(
    given: Mapping[str, str], original: pl.DataFrame, released: pl.DataFrame
) -> dict[str, Hierarchy]:
    """The hierarchies as named; those to be made from the values only where cells need them."""
    wanted = {
        name: one
        for name, one in given.items()
        if one != AUTO
        or not ColumnReader.of(original[name], released[name]).explains(released[name])
    }
    return choose_hierarchies(wanted, original, list(wanted))


def _given(steps: Steps, columns: Sequence[str]) -> dict[str, str]:
    """By column a file, a built-in name or `auto`, as the methods were told."""
    found: dict[str, str] = {}
    for step in steps:
        given = step.get("hierarchies") or {}
        if isinstance(given, str):
            given = {name: given.replace(PLACE, name) for name in columns}
        found |= {name: str(one) for name, one in given.items() if name in columns}
    return found


def _plain(given: str, column: str) -> Any:
    """An entry of the manifest; None for a hierarchy that is too large."""
    if given == AUTO or given in BUILTIN or given in KNOWN:
        return given
    hierarchy = read_hierarchy(given, column)
    if len(hierarchy.leaves) > MOST_LEAVES:
        return None
    return [list(row) for row in hierarchy.frame().iter_rows()]


def _labels(rows: list[Any], column: str) -> list[list[str]]:
    if not all(isinstance(row, list) and all(isinstance(x, str) for x in row) for row in rows):
        raise InputError(
            f"the manifest's hierarchy of '{column}' is damaged",
            f"マニフェストにある列 '{column}' の階層が壊れています",
        )
    return rows
