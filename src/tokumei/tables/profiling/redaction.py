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
from tokumei.core.messages import Message
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
                f"'{name}' holds no text that could be scrubbed",
                f"列 '{name}' は文字列ではないため、個人情報の置き換えはできません",
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
    return f"［{title.ja}］" if in_japanese else f"[{title.en}]"


def _redaction_message(name: str, replaced_pii: Sequence[EmbeddedPii]) -> Message:
    titled_counts = [(COLUMN_TYPES[pii.type].title, pii.cells) for pii in replaced_pii]
    en = (
        ", ".join(f"{title.en} in {cells:,} cells" for title, cells in titled_counts)
        or "nothing found"
    )
    ja = "、".join(f"{title.ja} {cells:,} セル" for title, cells in titled_counts) or "該当なし"
    return Message(
        f"{name}: personal data replaced: {en}; names in it cannot be ruled out",
        f"{name}: 個人情報を置き換えました: {ja}。氏名が残る可能性は否定できません",
    )
