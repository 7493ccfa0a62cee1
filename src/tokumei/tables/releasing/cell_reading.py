"""How the cells of a stranger's table are understood before a method sees them."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, NamedTuple

from tokumei.core.cells import LineOf
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.core.written.dates import UNSAID, Days
from tokumei.tables.data.table import Table
from tokumei.tables.look.days import require_decided

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look


class Reading(NamedTuple):
    """How cells of QI and SA are understood: where rows stand, rules that are off, bad cells."""

    line_of: LineOf | None
    off: tuple[str, ...] = ()
    bad_missing: bool = False
    plain: bool = False
    """Whether columns that pass are written as they are understood, too."""
    days: Days = UNSAID
    """What the owner says of days that no cell decides."""
    said: tuple[str, ...] = ()
    """Columns whose kind the owner says."""


def bad_missing(said: str | None) -> bool:
    """Whether cells that fit neither number nor day become gaps; fails on another word."""
    if said not in (None, "", "missing"):
        raise UsageError(
            f"bad_cells is 'missing' or nothing, not '{said}'",
            f"bad_cells に指定できるのは 'missing' だけです ('{said}')",
        )
    return said == "missing"


def understood(
    table: Table, found: Look, reading: Reading, labelled: Set[str]
) -> tuple[Table, list[Text]]:
    """The table as it is understood; words that the owner's hierarchies name stay as they are."""
    from tokumei.tables.look.normalized import needs, normalized, plain_texts, rule_notes

    names = [*table.schema.qi, *table.schema.sa]
    names = [n for n in names if n not in labelled or needs(table.frame[n], found[n])]
    names = [n for n in names if n not in reading.said]
    notes = list[Text]()
    if reading.plain:
        names = [name for name in table.schema.names if name not in table.schema.ids]
        table, notes = plain_texts(table, names)
    require_decided([found[name] for name in names])
    notes += rule_notes(found, names, table, reading.off)
    read = normalized(
        table,
        found,
        names,
        line_of=reading.line_of,
        bad_missing=reading.bad_missing,
        off=reading.off,
    )
    return read, notes
