"""Replaces personal data inside texts by its type: `［電話番号］に連絡`.

    scrubbed(series).cells, scrubbed(series).found

Only what has a form is found: telephone numbers, addresses, e-mail, cards and the like. Names are
not replaced; where some are recognized, the column stays a question. A cell in which nothing is
found leaves as it came; in the others full-width letters and digits are read as plain ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message, join_messages
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.column_types import COLUMN_TYPES
from tokumei.tables.profiling.detection.cell_patterns import EMBEDDED_PATTERNS
from tokumei.tables.profiling.detection.embedded_pii import EmbeddedPii
from tokumei.tables.profiling.distinct_cells import normalize_text

_JAPANESE_CHAR = r"[\p{Hiragana}\p{Katakana}\p{Han}]"
_MATCH_TAILS = {"address": r"[^\s、。,;；]*", "url": r"\S*"}
"""What of a find goes on behind the part by which it is recognized."""
_MAX_ROUNDS = 50


class RedactedColumn(NamedTuple):
    """Cells without the personal data that has a form, and what was in how many of them."""

    cells: pl.Series
    found: tuple[EmbeddedPii, ...]


def redact_column(series: pl.Series) -> RedactedColumn:
    """The cells of a column of text with every find replaced."""
    text = series.cast(pl.String)
    normalized_text = normalize_text(text)
    has_japanese = bool(normalized_text.str.contains(_JAPANESE_CHAR).any())
    all_pii: list[EmbeddedPii] = []
    for pii_type, pattern in EMBEDDED_PATTERNS.items():
        if pii_type == "name":
            continue
        hits = normalized_text.str.contains(pattern).fill_null(value=False)
        if count := int(hits.sum()):
            all_pii.append(EmbeddedPii(pii_type, count))
            full_pattern = f"(?:{_name_border_groups(pattern)}){_MATCH_TAILS.get(pii_type, '')}"
            normalized_text = _replace_all_matches(
                normalized_text,
                full_pattern,
                "${before}" + _placeholder(pii_type, has_japanese) + "${after}",
            )
    is_changed = normalized_text.ne_missing(normalize_text(text))
    return RedactedColumn(
        normalized_text.zip_with(is_changed, text).alias(series.name), tuple(all_pii)
    )


def redact_columns(table: Table, names: Sequence[str]) -> tuple[Table, list[Message]]:
    """The table with these columns scrubbed, and what was replaced in them."""
    table.schema.require(names, where=field_name("scrub"))
    notes: list[Message] = []
    for name in names:
        if table.frame[name].dtype.is_numeric() or table.frame[name].dtype.is_temporal():
            raise UsageError(
                "column '{column}' holds no text in which personal data could be replaced",
                column=name,
            )
        cells, replaced_pii = redact_column(table.frame[name])
        table = table.with_frame(table.frame.with_columns(cells))
        notes.append(_redaction_message(name, replaced_pii))
    return table, notes


def _name_border_groups(pattern: str) -> str:
    """The pattern with names for the characters before and behind a find, which stay."""
    return pattern.replace("(?:^|[^", "(?P<before>^|[^").replace("(?:$|[^", "(?P<after>$|[^")


def _replace_all_matches(text: pl.Series, pattern: str, placeholder: str) -> pl.Series:
    """All finds replaced, those too that share a character with the one before."""
    for _ in range(_MAX_ROUNDS):
        replaced = text.str.replace_all(pattern, placeholder)
        if replaced.equals(text, null_equal=True):
            break
        text = replaced
    return text


def _placeholder(pii_type: str, in_japanese: bool) -> str:
    title = COLUMN_TYPES[pii_type].title
    return f"［{title.show('ja')}］" if in_japanese else f"[{title.show('en')}]"


def _redaction_message(name: str, replaced_pii: Sequence[EmbeddedPii]) -> Message:
    if not replaced_pii:
        return Message(
            "{column}: no personal data found; names in it cannot be ruled out", column=name
        )
    return Message(
        "{column}: personal data replaced: {finds}; names in it cannot be ruled out",
        column=name,
        finds=join_messages(describe_cell_count(pii) for pii in replaced_pii),
    )


def describe_cell_count(pii: EmbeddedPii) -> Message:
    """A type of personal data and in how many cells it is."""
    return Message(
        "{type} in {count} cell",
        plural="{type} in {count:,} cells",
        count=pii.cells,
        type=COLUMN_TYPES[pii.type].title,
    )
