"""Compares an original with a release, using the hierarchies of the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from tokumei.tables.data.column_encoding import number_persons
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Release, Table, require_numbers
from tokumei.tables.hierarchies.choose import add_missing_leaves, choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.release_hierarchies import step_hierarchies
from tokumei.tables.profiling.retype_original import retype_original

NONE = "none"
"""Said instead of a person column: every row is another person."""


def compare(
    original: object,
    release: object,
    *,
    link: np.ndarray | None = None,
    qi: str | Sequence[str] | None = None,
    sa: str | Sequence[str] | None = None,
    cross: Sequence[str] = (),
    hierarchies: str | Mapping[str, Hierarchy | str] | None = None,
    person: str | None = None,
) -> Comparison:
    """An original and a release of it; a Release brings its roles, person, link and hierarchies.

    Columns that the release does not have are not compared, unless `qi` or `sa` names them.
    `hierarchies`: by column, or where to find them (see `choose_hierarchies`).
    `person`: the column of the original by which attacks count people; "none": rows are counted.
    """
    released = release.public if isinstance(release, Release) else Table.of(release)
    table = _with_compared_roles(original, release, released, qi=qi, sa=sa)
    table, released = _with_times(table, released), _with_times(released, table)
    account = getattr(release, "account", None)
    if not isinstance(original, Table):
        table = retype_original(table, released, {} if account is None else account.answers)[0]
    require_numbers(table, table.schema.sa, texts=True)
    columns, column_hierarchies = table.schema.qi, resolve_hierarchies(table, hierarchies)
    if isinstance(release, Release):
        link = release.link if link is None else link
        if hierarchies is None:
            steps = release.provenance.steps
            release_hierarchies = step_hierarchies(steps, table.frame, released.frame, columns)
            column_hierarchies = add_missing_leaves(release_hierarchies, table.frame)
    if link is None:
        link = np.arange(released.rows)
    people = _number_people(table, person or getattr(account, "person", None))
    return Comparison(table, released, np.asarray(link), tuple(cross), column_hierarchies, people)


def _with_times(table: Table, other: Table) -> Table:
    """The table with days as times where the other side has times of the same column."""
    frame, others = table.frame, other.frame.schema
    days = {
        name: others[name]
        for name, dtype in frame.schema.items()
        if dtype == pl.Date and others.get(name) == pl.Datetime
    }
    if not days:
        return table
    return table.with_frame(
        frame.with_columns(
            pl.col(name).cast(pl.Datetime).cast(dtype) for name, dtype in days.items()
        )
    )


def _with_compared_roles(
    original: object,
    release: object,
    released: Table,
    *,
    qi: str | Sequence[str] | None,
    sa: str | Sequence[str] | None,
) -> Table:
    """The original with the roles that are named, else those of a Release, else its own.

    Roles of others than named columns are left out where the release does not have the column.
    """
    if qi is not None or sa is not None:
        return Table.of(original, qi=qi, sa=sa)
    table = Table.of(original)
    roles = released.schema if isinstance(release, Release) else table.schema
    both = {*table.schema.names} & {*released.schema.names}
    if roles is table.schema and both >= {*roles.qi, *roles.sa}:
        return table
    shared = [[name for name in names if name in both] for names in (roles.qi, roles.sa)]
    return Table.of(table, qi=shared[0], sa=shared[1])


def _number_people(table: Table, person: str | None) -> np.ndarray | None:
    """A number for the person of every row; rows without one are people of their own."""
    if person in (None, NONE) or person not in table.schema.names:
        return None
    return number_persons(table.frame[person])


def resolve_hierarchies(
    original: Table, hierarchies: str | Mapping[str, Hierarchy | str] | None
) -> dict[str, Hierarchy]:
    """Hierarchies by column; those given as text are read or proposed."""
    if not hierarchies:
        return {}
    if isinstance(hierarchies, str):
        return choose_hierarchies(hierarchies, original.frame, original.schema.qi)
    original.schema.require(hierarchies)
    sources = {column: text for column, text in hierarchies.items() if isinstance(text, str)}
    built = {
        column: hierarchy
        for column, hierarchy in hierarchies.items()
        if not isinstance(hierarchy, str)
    }
    chosen = choose_hierarchies(sources, original.frame, list(sources))
    return add_missing_leaves(built, original.frame) | chosen
