"""An original and a release side by side, with what the labels of the release stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.person_values import number_persons
from tokumei.tables.data.table import Release, Table, require_numbers
from tokumei.tables.hierarchies.choose import choose_hierarchies, with_missing
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.released import step_hierarchies
from tokumei.tables.look.as_released import as_released


def compare(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    cross: Sequence[str] = (),
    hierarchies: str | Mapping[str, Hierarchy | str] | None = None,
    person: str | None = None,
) -> Comparison:
    """An original and a release of it; a Release brings its link and its hierarchies.

    `hierarchies`: by column, or where to find them (see `choose_hierarchies`).
    `person`: the column of the original by which attacks count people (a Release says its own).
    """
    table = Table.of(original, qi=qi, sa=sa)
    released = release.public if isinstance(release, Release) else Table.of(release)
    account = getattr(release, "account", None)
    if not isinstance(original, Table):
        table = as_released(table, released, {} if account is None else account.answers)[0]
    require_numbers(table, table.schema.sa, texts=True)
    qi, found = table.schema.qi, given_hierarchies(table, hierarchies)
    if isinstance(release, Release):
        link = release.link
        if hierarchies is None:
            steps = release.provenance.steps
            used = step_hierarchies(steps, table.frame, released.frame, qi)
            found = with_missing(used, table.frame)
    if link is None:
        link = np.arange(released.rows)
    people = _people(table, person or getattr(account, "person", None))
    return Comparison(table, released, np.asarray(link), tuple(cross), found, people)


def _people(table: Table, person: str | None) -> np.ndarray | None:
    """A number for the person of every row; rows without one are people of their own."""
    if person is None or person not in table.schema.names:
        return None
    return number_persons(table.frame[person])


def given_hierarchies(
    original: Table, given: str | Mapping[str, Hierarchy | str] | None
) -> dict[str, Hierarchy]:
    """Hierarchies by column; those given as text are read or proposed."""
    if not given:
        return {}
    if isinstance(given, str):
        return choose_hierarchies(given, original.frame, original.schema.qi)
    original.schema.require(given)
    named = {column: text for column, text in given.items() if isinstance(text, str)}
    ready = {column: one for column, one in given.items() if not isinstance(one, str)}
    chosen = choose_hierarchies(named, original.frame, list(named))
    return with_missing(ready, original.frame) | chosen
