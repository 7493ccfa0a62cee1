"""Formats a profile as text, at most forty lines for fifteen columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tokumei.core.catalogs import available_languages
from tokumei.core.fields import field_name
from tokumei.core.formatting import format_percent
from tokumei.core.message_lines import indent_message
from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.tables.profiling.column_types import COLUMN_TYPES
from tokumei.tables.profiling.normalization_rules import NORMALIZATION_RULES
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile
from tokumei.tables.profiling.reading.source import FORMATS_WITHOUT_LINES
from tokumei.tables.profiling.redaction import describe_cell_count

ROLE_LABELS = {
    "identifier": Message("identifier", context="the role of a column"),
    "person": Message("person", context="the role of a column"),
    "quasi": Message("quasi", context="the role of a column"),
    "sensitive": Message("sensitive", context="the role of a column"),
    "other": Message("other", context="the role of a column"),
}
KIND_LABELS = {
    "numeric": Message("number", context="the kind of a column"),
    "date": Message("date", context="the kind of a column"),
    "category": Message("category", context="the kind of a column"),
    "text": Message("text", context="the kind of a column"),
}
SEPARATOR_LABELS = {
    ",": Message("commas"),
    ";": Message("semicolons"),
    "\t": Message("tabs"),
    "|": Message("bars"),
}
_MAX_CELL_WIDTH = 22
_MAX_LINES = 6
"""Lines of normalizations, of personal data and of warnings."""
_MAX_QUESTIONS = 8
_MAX_EXPOSED_COLUMNS = 6


def profile_lines(profile: TableProfile, *, values: bool = False) -> list[Message]:
    """Everything a person reads, in the order of the specification."""
    warning_texts = [violation.message for violation in profile.warnings]
    return [
        file_line(profile),
        people_line(profile),
        *exposure_lines(profile),
        *_column_table_lines(profile, values),
        *_limit_lines([_pii_line(c) for c in profile.columns if c.pii], _MAX_LINES // 2),
        *_limit_lines(
            [
                _normalization_line(*normalization)
                for normalization in applied_normalizations(profile)
            ],
            _MAX_LINES,
        ),
        *_limit_lines(
            [Message("Warning: {warning}", warning=warning) for warning in warning_texts], 2
        ),
        *_limit_lines([_question_line(c) for c in profile.columns if c.question], _MAX_QUESTIONS),
        *_missing_qi_lines(profile),
        _next_command_line(profile),
    ]


def _missing_qi_lines(profile: TableProfile) -> list[Message]:
    """What has to be added to the next command if no column seems known to others."""
    candidate_names = [
        c.name for c in profile.columns if c.role in ("sensitive", "other") and c.fate != "ask"
    ]
    is_table_command = " table " in profile.command
    if (
        not is_table_command
        or not candidate_names
        or any(c.role == "quasi" for c in profile.columns)
    ):
        return []
    return [
        Message(
            "No column seems to hold what others may know of a person: decide what they may know, "
            "and add {option} with at least one of {candidates}",
            option=field_name("qi"),
            candidates=join_messages(candidate_names[:_MAX_LINES]),
        )
    ]


def _next_command_line(profile: TableProfile) -> Message:
    if not profile.command:
        return Message("No rows: there is nothing to release.")
    return Message("Next: {command}", command=profile.command)


def file_line(profile: TableProfile) -> Message:
    """What the file is and what was left out of it."""
    source = profile.source
    parts = [Message.verbatim(source.file) if source.file else Message("data frame")]
    if source.encoding:
        separator = source.separator or ""
        label = SEPARATOR_LABELS.get(separator, Message.verbatim(separator))
        parts.append(join_messages([source.format, source.encoding, label]))
    if source.sheet:
        parts.append(_describe_sheet(source.sheet, source.sheets))
    if source.format not in FORMATS_WITHOUT_LINES:
        row = source.header_row
        parts.append(Message("header in line {line}", line=row) if row else Message("no header"))
    if source.above or source.below or source.empty:
        parts.append(
            Message(
                "lines skipped: {above} above, {below} below, {blank} blank",
                above=source.above,
                below=source.below,
                blank=source.empty,
            )
        )
    size = Message(
        "{rows:,} × {columns} (rows × columns)", rows=profile.rows, columns=len(profile.columns)
    )
    return join_messages([*parts, size], SEMICOLON)


def _describe_sheet(sheet: str, sheets: Sequence[str]) -> Message:
    others = [name for name in sheets if name != sheet]
    if not others:
        return Message("sheet '{sheet}'", sheet=sheet)
    return Message("sheet '{sheet}' (others: {others})", sheet=sheet, others=join_messages(others))


def people_line(profile: TableProfile) -> Message:
    """Whether the table is about people, and who tells them apart."""
    if profile.people is False:
        return Message("Not about people, as far as the columns tell.")
    person = profile.person
    if person is None:
        if profile.people:
            return Message(
                "About people; no column tells them apart: one row per person is assumed."
            )
        return Message(
            "Perhaps about people; no column tells them apart: one row per person is assumed."
        )
    sentence = Message("One row per person: {people:,} people, told apart by '{column}'.")
    if person.several:
        sentence = Message("{people:,} people in {rows:,} rows, told apart by '{column}'.")
    return sentence.fill(people=person.people, rows=person.rows, column=person.column)


def exposure_lines(profile: TableProfile) -> list[Message]:
    """What the likely quasi-identifiers give away together."""
    exposure = profile.exposure
    if exposure is None or profile.people is False:
        return []
    columns = join_messages(exposure.columns)
    if len(exposure.columns) > _MAX_EXPOSED_COLUMNS:
        columns = Message(
            "{columns} …", columns=join_messages(exposure.columns[:_MAX_EXPOSED_COLUMNS])
        )
    sentence = Message(
        "{columns} together identify {share:percent} of the people uniquely (smallest class: "
        "{smallest})."
    )
    if len(exposure.columns) == 1:
        sentence = Message(
            "{columns} identifies {share:percent} of the people uniquely (smallest class: "
            "{smallest})."
        )
    return [sentence.fill(columns=columns, share=exposure.unique_share, smallest=exposure.smallest)]


def _column_table_lines(profile: TableProfile, values: bool) -> list[Message]:
    """A line of heads and one per column, aligned in each language."""
    heads = [
        Message("column"),
        Message("role"),
        Message("type"),
        Message("kind"),
        Message.verbatim(""),
        Message("missing"),
        Message("shape"),
        Message("why"),
    ]
    rows = [heads, *(_column_cells(column, profile, values) for column in profile.columns)]
    languages = available_languages()
    aligned = [
        _align_columns([[cell.show(lang) for cell in row] for row in rows]) for lang in languages
    ]
    return [
        Message.of_texts(dict(zip(languages, texts, strict=True)))
        for texts in zip(*aligned, strict=True)
    ]


def _column_cells(column: ColumnProfile, profile: TableProfile, values: bool) -> list[Message]:
    missing_share = format_percent(column.missing / max(profile.rows, 1)) if column.missing else "–"
    sample_text = format_examples(column, profile) if values else " / ".join(column.shapes[:1])
    return [
        Message.verbatim(column.name),
        ROLE_LABELS[column.role],
        COLUMN_TYPES[column.type].title,
        KIND_LABELS[column.kind],
        column.certainty,
        Message.verbatim(missing_share),
        Message.verbatim(sample_text or "–"),
        column.reason,
    ]


def format_examples(column: ColumnProfile, profile: TableProfile) -> str:
    """The most frequent values of a column that identifies nobody; shapes of any other."""
    if not column.shows_values:
        return " / ".join(column.shapes[:1])
    counts = profile.source.frame[column.name].drop_nulls().value_counts(sort=True)
    return " / ".join(str(value)[:12] for value in counts[column.name].head(3))


def _align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [
        min(max(map(display_width, column)), _MAX_CELL_WIDTH) for column in zip(*rows, strict=True)
    ]
    lines = []
    for row in rows:
        cells = zip([*map(_truncate_cell, row[:-1]), row[-1]], widths, strict=True)
        padded = [text + " " * (column_width - display_width(text)) for text, column_width in cells]
        lines.append("  ".join(padded).rstrip())
    return lines


def display_width(text: str) -> int:
    """Columns on a screen: characters of East Asian writing take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _truncate_cell(text: str) -> str:
    while display_width(text) > _MAX_CELL_WIDTH:
        text = text.rstrip("…")[:-1] + "…"
    return text


def _pii_line(column: ColumnProfile) -> Message:
    finds = join_messages(describe_cell_count(pii) for pii in column.pii)
    return Message("Inside '{column}': {finds}.", column=column.name, finds=finds)


def applied_normalizations(profile: TableProfile) -> list[tuple[str, int, list[str]]]:
    """Normalizations that touch something: their cells, or lines of the file, and columns."""
    applied = []
    for rule in NORMALIZATION_RULES:
        touched_columns = [c for c in profile.columns if rule in c.normalizations]
        cells = sum(c.normalizations[rule] for c in touched_columns) or profile.file_rules.get(
            rule, 0
        )
        if touched_columns or cells:
            applied.append((rule, cells, [c.name for c in touched_columns]))
    return applied


def _normalization_line(rule: str, cells: int, names: list[str]) -> Message:
    return Message(
        "Normalized: {rule} {cells:,} ({subject})",
        rule=rule,
        cells=cells,
        subject=join_messages(names) if names else NORMALIZATION_RULES[rule],
    )


def _question_line(column: ColumnProfile) -> Message:
    assert column.question is not None
    options = " | ".join(column.question.options)
    return join_messages(["?", column.question.text, f" {options}"], Message.verbatim(" "))


def _limit_lines(lines: Sequence[Message], max_lines: int) -> list[Message]:
    """The lines, the last ones as a number if there are too many."""
    if len(lines) <= max_lines:
        return list(lines)
    rest = len(lines) - max_lines + 1
    remaining_line = Message("… and {rest} more (--json lists all)", rest=rest)
    return [*lines[: max_lines - 1], indent_message(remaining_line)]
