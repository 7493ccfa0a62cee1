"""What a question about a column depends on, and how it is put."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.core.text import Text
from tokumei.core.written.dates import Style
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.command import quote
from tokumei.tables.look.embedded import Inside
from tokumei.tables.look.infer import Meaning
from tokumei.tables.look.result import Question


@dataclass(frozen=True)
class Case:
    """One column, with all that a question may depend on."""

    name: str
    meaning: Meaning
    role: str
    kind: str
    cells: ColumnCells
    inside: Sequence[Inside]
    style: Style
    people: bool | None
    first: bool
    header: bool
    other_person: str | None
    second: bool
    """Whether a second table stands in the file, which was not read."""
    telling: bool
    """Whether each value goes with one person, as far as other columns tell."""


def question(
    id: str, case: Case, en: str, ja: str, *options: str, answers: tuple[str, ...] = ()
) -> Question:
    """Options of `tokumei anonymize table` that take the column's name, or else whole `answers`."""
    named = answers or tuple(f"{option} {quote(case.name)}" for option in options)
    # The first braces are the column's; others belong to names that the sentence holds.
    told = Text(en.replace("{}", case.name, 1), ja.replace("{}", case.name, 1))
    return Question(id, told, named)
