"""The look itself.

found = look("顧客台帳.csv")
found.person, found.questions, found.schema()
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.written.dates import UNSAID, Days
from tokumei.tables.data.table import AnyTable
from tokumei.tables.look.beside import by_neighbours, tell_people
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.command import next_command
from tokumei.tables.look.days import said_of_days
from tokumei.tables.look.dialect import Dialect
from tokumei.tables.look.embedded import Inside, find_inside
from tokumei.tables.look.infer import Meaning, fate_of, infer, kind_of, role_of
from tokumei.tables.look.normalized import bad_cells
from tokumei.tables.look.people import Person, about_people, exposure_of, find_person
from tokumei.tables.look.questions import Case, question_of
from tokumei.tables.look.result import Look, LookColumn
from tokumei.tables.look.rules import count_rules, switched_off
from tokumei.tables.look.shapes import bins_of, top_shapes
from tokumei.tables.look.source import Source, open_source
from tokumei.tables.look.types import TYPES

SAMPLE = 20_000
"""Types are decided on this many random rows of a larger table; counts are of all rows."""
_ASKING = frozenset(("text-with-personal-data", "free-text", "many-words", "key-like",
                     "person-or-thing", "unnamed-column", "mixed-contact"))  # fmt: skip
_TEXTS = frozenset(("free_text", "category", "item", "diagnosis", "organization", "store", "flag",
                    "occupation", "code"))  # fmt: skip


def look(
    given: AnyTable | str | Path,
    *,
    encoding: str = "auto",
    sep: str | None = None,
    sheet: str | None = None,
    header_row: int | str | None = None,
    rows: int | None = SAMPLE,
    no_normalize: Iterable[str] = (),
    encoding_errors: str = "strict",
    date_order: str | None = None,
    two_digit_years: int | None = None,
) -> Look:
    """Look at a file, or at a pandas, Polars or Arrow frame; nothing is written.

    Types are decided on `rows` random rows (None: all); everything counted is counted on all.
    `no_normalize` names normalizations that are not to be applied. `date_order` (dmy, mdy, ymd)
    says how days are written where no cell decides, `two_digit_years` the last year of two digits
    that is 20xx.
    """
    off = switched_off(no_normalize)
    said = said_of_days(date_order, two_digit_years)
    dialect = Dialect(encoding, sep, sheet, header_row, encoding_errors == "replace")
    source = open_source(given, dialect)
    path = str(given) if isinstance(given, str) else None
    return look_at(source, rows=rows, off=off, said=said, path=path)


def look_at(
    source: Source,
    *,
    rows: int | None = SAMPLE,
    off: frozenset[str] = frozenset(),
    said: Days = UNSAID,
    path: str | None = None,
) -> Look:
    """Look at cells that were read."""
    frame = source.frame
    some = _sample(frame, rows)
    cells = {name: ColumnCells.of(frame[name], off, said) for name in frame.columns}
    seen = cells
    if some is not frame:
        seen = {name: ColumnCells.of(some[name], off, said) for name in frame.columns}
    meanings = {name: infer(seen[name], frame[name]) for name in frame.columns}
    meanings = by_neighbours(some, meanings, seen)
    telling = tell_people(some, meanings, seen)
    inside = {name: _inside(cells[name], meanings[name]) for name in frame.columns}
    people = _people(meanings, inside, cells)
    person = find_person(frame, meanings, people) if people is not False else None
    columns = tuple(
        _column(
            _case(source, seen[n], meanings[n], inside[n], people, person, n in telling), cells[n]
        )
        for n in frame.columns
    )
    bad = [fault for c in columns for fault in bad_cells(source, c, cells[c.name])]
    command = next_command(path or source.file, columns, person, said) if frame.height else ""
    exposure, rules = exposure_of(frame, columns, person), _file_rules(source)
    return Look(source, people, person, columns, exposure, (*source.warnings, *bad), command, rules)


def _sample(frame: pl.DataFrame, rows: int | None) -> pl.DataFrame:
    if rows is None or frame.height <= rows:
        return frame
    # Equal files must look equal, whoever looks: the draw is always the same.
    chosen = np.sort(np.random.default_rng(frame.height).choice(frame.height, rows, replace=False))
    return frame[chosen]


def _inside(cells: ColumnCells, meaning: Meaning) -> tuple[Inside, ...]:
    """Personal data inside texts; numbers, days and what identifies anyway are not searched."""
    if meaning.type not in _TEXTS or cells.is_number or not cells.has_texts:
        return ()
    return tuple(find_inside(cells))


def looked_through(found: Look, frame: pl.DataFrame) -> Look:
    """A look at the first rows of a frame, with what only all rows tell: people, personal data."""
    person = found.person
    if person is not None:
        filled = frame[person.column].drop_nulls()
        person = replace(person, people=filled.n_unique(), rows=len(filled))
    return replace(found, person=person, columns=tuple(_through(c, frame) for c in found.columns))


def is_searched(column: LookColumn) -> bool:
    """Whether personal data may stand inside a column's cells, and none was found so far."""
    return column.type in _TEXTS and column.kind not in ("numeric", "date") and not column.pii


def _through(column: LookColumn, frame: pl.DataFrame) -> LookColumn:
    """The column with the personal data inside all its cells."""
    if not is_searched(column):
        return column
    return with_inside(column, frame[column.name].unique().cast(pl.String))


def with_inside(column: LookColumn, texts: pl.Series) -> LookColumn:
    """The column with the personal data inside these cells of it."""
    cells = ColumnCells.of(texts)
    return holding(column, find_inside(cells) if cells.has_texts else ())


def holding(column: LookColumn, inside: Iterable[Inside]) -> LookColumn:
    """The column with the personal data that was found inside its cells, if there is any."""
    found = tuple(inside)
    return replace(column, pii=found, fate="ask") if found else column


def _people(
    meanings: dict[str, Meaning],
    inside: dict[str, tuple[Inside, ...]],
    cells: dict[str, ColumnCells],
) -> bool | None:
    personal = any(
        one.type in ("phone", "email", "card", "my_number")
        for found in inside.values()
        for one in found
    )
    places = ("prefecture", "country", "city")
    unique = any(
        one.type in places and cells[name].unique_share > 0.95 and cells[name].total > 5
        for name, one in meanings.items()
    )
    return about_people(list(meanings.values()), personal, unique)


def _case(
    source: Source,
    seen: ColumnCells,
    meaning: Meaning,
    inside: tuple[Inside, ...],
    people: bool | None,
    person: Person | None,
    telling: bool,
) -> Case:
    dated = TYPES[meaning.type].kind == "date"
    style = seen.style(named=meaning.called or dated, epoch=dated, month=dated)
    if meaning.type == "birth_date" and style.two_digits and seen.said.latest is None:
        # Nobody is born in the future.
        style = replace(style, latest=date.today().year % 100)
    role = role_of(meaning, seen.name, people, person.column if person else None)
    kind = kind_of(meaning, seen, style)
    return Case(
        seen.name, meaning, role, kind, seen, inside, style, people, person, source, telling
    )


def _column(case: Case, cells: ColumnCells) -> LookColumn:
    meaning, kind, style, shapes = case.meaning, case.kind, case.style, top_shapes(case.cells)
    question = question_of(case)
    fate = "ask" if question and question.id in _ASKING else fate_of(case.role, cells)
    return LookColumn(
        case.name, case.role, meaning.type, kind, meaning.confidence, meaning.reason,
        cells.distinct, cells.rows - cells.total, _missing_as(cells),
        tuple(form for form, _ in shapes), tuple(share for _, share in shapes),
        case.inside, count_rules(cells, kind, meaning.type, style), fate, question,
        whole=kind == "numeric" and cells.is_whole, unique_share=cells.unique_share,
        bins=bins_of(case.cells, kind, case.role, style), style=style,
    )  # fmt: skip


def _missing_as(cells: ColumnCells) -> dict[str, int]:
    """How missing cells are written, most frequent first; empty ones as ``."""
    marks = {"": cells.rows - int(cells.counts.sum())}
    for mark, count in zip(
        cells.raw.filter(cells.missing), cells.counts.filter(cells.missing), strict=True
    ):
        shown = mark.strip() if len(mark.strip()) <= 8 else "<…>"
        marks[shown] = marks.get(shown, 0) + count
    return {mark: n for mark, n in sorted(marks.items(), key=lambda one: -one[1]) if n}


def _file_rules(source: Source) -> dict[str, int]:
    counts = {"bom": int(source.bom), "title-rows": source.above, "total-row": source.below}
    return {rule: count for rule, count in counts.items() if count}
