"""Personal data inside texts replaced by what it is: `［電話番号］に連絡`.

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
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.look.column_cells import normal_text
from tokumei.tables.look.embedded import Inside
from tokumei.tables.look.forms import INSIDE
from tokumei.tables.look.types import TYPES

_JAPANESE = r"[\p{Hiragana}\p{Katakana}\p{Han}]"
_REST = {"address": r"[^\s、。,;；]*", "url": r"\S*"}
"""What of a find goes on behind the part by which it is recognized."""
_MOST_ROUNDS = 50


class Scrubbed(NamedTuple):
    """Cells without the personal data that has a form, and what was in how many of them."""

    cells: pl.Series
    found: tuple[Inside, ...]


def scrubbed(series: pl.Series) -> Scrubbed:
    """The cells of a column of text with every find replaced."""
    text = series.cast(pl.String)
    plain = normal_text(text)
    japanese = bool(plain.str.contains(_JAPANESE).any())
    found: list[Inside] = []
    for kind, pattern in INSIDE.items():
        if kind == "name":
            continue
        hits = plain.str.contains(pattern).fill_null(value=False)
        if count := int(hits.sum()):
            found.append(Inside(kind, count))
            whole = f"(?:{_with_borders(pattern)}){_REST.get(kind, '')}"
            plain = _replaced(plain, whole, "${before}" + _mark(kind, japanese) + "${after}")
    changed = plain.ne_missing(normal_text(text))
    return Scrubbed(plain.zip_with(changed, text).alias(series.name), tuple(found))


def scrub_columns(table: Table, names: Sequence[str]) -> tuple[Table, list[Text]]:
    """The table with these columns scrubbed, and what was replaced in them."""
    table.schema.require(names, where=field_name("scrub"))
    notes: list[Text] = []
    for name in names:
        if table.frame[name].dtype.is_numeric() or table.frame[name].dtype.is_temporal():
            raise UsageError(
                f"'{name}' holds no text that could be scrubbed",
                f"列 '{name}' は文字列ではないため、個人情報の置き換えはできません",
            )
        cells, found = scrubbed(table.frame[name])
        table = table.with_frame(table.frame.with_columns(cells))
        notes.append(_note(name, found))
    return table, notes


def _with_borders(pattern: str) -> str:
    """The pattern with names for the characters before and behind a find, which stay."""
    return pattern.replace("(?:^|[^", "(?P<before>^|[^").replace("(?:$|[^", "(?P<after>$|[^")


def _replaced(text: pl.Series, pattern: str, mark: str) -> pl.Series:
    """All finds replaced, those too that share a character with the one before."""
    for _ in range(_MOST_ROUNDS):
        new = text.str.replace_all(pattern, mark)
        if new.equals(text, null_equal=True):
            break
        text = new
    return text


def _mark(kind: str, japanese: bool) -> str:
    title = TYPES[kind].title
    return f"［{title.ja}］" if japanese else f"[{title.en}]"


def _note(name: str, found: Sequence[Inside]) -> Text:
    listed = [(TYPES[one.type].title, one.cells) for one in found]
    en = ", ".join(f"{title.en} in {cells:,} cells" for title, cells in listed) or "nothing found"
    ja = "、".join(f"{title.ja} {cells:,} セル" for title, cells in listed) or "該当なし"
    return Text(
        f"{name}: personal data replaced: {en}; names in it cannot be ruled out",
        f"{name}: 個人情報を置き換えました: {ja}。氏名が残る可能性は否定できません",
    )
