"""Stores the hierarchies of a release in its manifest, and reads them.

    manifest | manifest_hierarchies(steps, qi)                # what is written beside a release
    hierarchies_from_manifest(read_manifest("y.csv"), original, released, qi)    # reads it again

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
from tokumei.files import release_files
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.hierarchies.builtin import BUILTIN
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.files import COLUMN_PLACEHOLDER, read_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.typed_hierarchies import TYPED_HIERARCHIES

MANIFEST_KEY = "hierarchies"
MAX_LEAVES = 10_000
"""A larger hierarchy does not travel: it must be given where the release is read."""
Steps = Sequence[Mapping[str, object]]


def manifest_hierarchies(steps: Steps, columns: Sequence[str]) -> dict[str, object]:
    """The part of a manifest that explains labels; nothing if no hierarchy was used."""
    entries = {
        name: _to_manifest_entry(source, name)
        for name, source in _hierarchy_sources(steps, columns).items()
    }
    written_entries = {name: entry for name, entry in entries.items() if entry is not None}
    return {MANIFEST_KEY: written_entries} if written_entries else {}


def step_hierarchies(
    steps: Steps, original: pl.DataFrame, released: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Hierarchy]:
    """The hierarchies that the methods of a release used."""
    return _build_needed(_hierarchy_sources(steps, columns), original, released)


def read_manifest(release: str) -> dict[str, Any]:
    """What lies beside a release; nothing if nothing does."""
    manifest = release_files.read_manifest(release)
    if not isinstance(manifest.get(MANIFEST_KEY, {}), dict):
        raise release_files.damaged_manifest_error(f"{release}.manifest.json")
    return manifest


def hierarchies_from_manifest(
    manifest: Mapping[str, Any],
    original: pl.DataFrame,
    released: pl.DataFrame,
    columns: Sequence[str],
) -> dict[str, Hierarchy]:
    """The hierarchies that travelled with a release."""
    entries = {
        name: manifest_entry
        for name, manifest_entry in manifest.get(MANIFEST_KEY, {}).items()
        if name in columns
    }
    rows = {name: entry for name, entry in entries.items() if isinstance(entry, list)}
    from_rows = {
        name: Hierarchy.of(name, _require_label_rows(entry, name)) for name, entry in rows.items()
    }
    # Never a path: a manifest may come from anybody.
    by_name = {
        name: entry
        for name, entry in entries.items()
        if entry in (AUTO, *BUILTIN, *TYPED_HIERARCHIES)
    }
    return from_rows | _build_needed(by_name, original, released)


def _build_needed(
    sources: Mapping[str, str], original: pl.DataFrame, released: pl.DataFrame
) -> dict[str, Hierarchy]:
    """The hierarchies as named; those to be made from the values only where cells need them."""
    needed = {
        name: source
        for name, source in sources.items()
        if source != AUTO
        or not ColumnReader.of(original[name], released[name]).can_read_all(released[name])
    }
    return choose_hierarchies(needed, original, list(needed))


def _hierarchy_sources(steps: Steps, columns: Sequence[str]) -> dict[str, str]:
    """By column a file, a built-in name or `auto`, as the methods were told."""
    sources: dict[str, str] = {}
    for step in steps:
        step_sources = step.get("hierarchies")
        if isinstance(step_sources, str):
            step_sources = {
                name: step_sources.replace(COLUMN_PLACEHOLDER, name) for name in columns
            }
        if isinstance(step_sources, Mapping):
            sources |= {name: str(step_sources[name]) for name in step_sources if name in columns}
    return sources


def _to_manifest_entry(source: str, column: str) -> str | list[list[str]] | None:
    """An entry of the manifest; None for a hierarchy that is too large."""
    if source == AUTO or source in BUILTIN or source in TYPED_HIERARCHIES:
        return source
    hierarchy = read_hierarchy(source, column)
    if len(hierarchy.leaves) > MAX_LEAVES:
        return None
    return [list(row) for row in hierarchy.frame().iter_rows()]


def _require_label_rows(rows: Sequence[object], column: str) -> list[list[str]]:
    label_rows = [
        row for row in rows if isinstance(row, list) and all(isinstance(x, str) for x in row)
    ]
    if len(label_rows) < len(rows):
        raise InputError("the manifest's hierarchy of '{column}' is damaged", column=column)
    return label_rows
