"""The distinct cells of one column: how often each occurs, and which say that nothing is known."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import polars as pl

from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences
from tokumei.core.parsing.numbers import parse_numbers
from tokumei.tables.profiling.detection.cell_patterns import CELL_PATTERNS

MISSING_MARKERS = frozenset(
    ("", "na", "n/a", "n.a.", "nan", "null", "none", "#n/a", "<na>", "nat", "-", "--", "―", "ー")
) | frozenset(("?", ".", "…", "‐", "–", "—"))
"""Missing in any column, in lower case after NFKC."""
AMBIGUOUS_MARKERS = frozenset(("none",))
"""Marks that are words in a column of words (`none` may be a hair colour)."""
MISSING_WORDS = frozenset(
    ("なし", "無し", "不明", "未測定", "未回答", "無回答", "未記入", "未登録", "未定", "該当なし")
) | frozenset(("欠", "欠席", "測定不能", "検査なし", "unknown", "missing", "not available", "unk"))
"""Missing only where cells are numbers, dates or of a known form."""
NA_MARKER = "na"
"""A mark, and the code of Namibia and of North America."""
_CODE_PATTERN, _MIN_CODES, _MIN_CODE_SHARE = r"^[A-Z]{2,5}$", 3, 0.8
_BRACKETED_MARKER = r"^[<＜〈\[(].*(なし|不明|missing|unknown|empty).*[>＞〉\])]$"


def normalize_markers(text: pl.Series) -> pl.Series:
    """Texts as marks are compared: NFKC, no outer blanks, lower case."""
    return text.str.normalize("NFKC").str.strip_chars().str.to_lowercase()


def is_na_real_value(text: pl.Series, counts: pl.Series, missing: pl.Series) -> pl.Series:
    """Which cells are `NA` where most of the others are codes as short."""
    is_na = (text == NA_MARKER.upper()) & missing
    is_short_code = text.str.contains(_CODE_PATTERN) & ~missing
    filled_rows, code_rows = (int(counts.filter(mask).sum()) for mask in (~missing, is_short_code))
    are_mostly_codes = (
        is_short_code.sum() >= _MIN_CODES and code_rows >= _MIN_CODE_SHARE * filled_rows
    )
    return is_na if are_mostly_codes else is_na & False


def is_missing(text: pl.Series, *, words: bool) -> pl.Series:
    """Which cells (after NFKC) are missing; with `words`, those that say so in words, too."""
    return find_missing_markers(text)[words]


def find_missing_markers(text: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Which cells are missing, first by marks alone, then with those that say so in words."""
    may_be_marker = ~text.str.contains(r"^[0-9]")  # no mark begins with a digit, most numbers do
    if not may_be_marker.any():
        return may_be_marker, may_be_marker
    lower = pl.col("text").str.to_lowercase()
    masks = pl.DataFrame({"text": text}).select(
        lower.is_in(list(MISSING_MARKERS - AMBIGUOUS_MARKERS)).alias("marks"),
        (
            lower.is_in(list(MISSING_MARKERS | MISSING_WORDS))
            | lower.str.contains(_BRACKETED_MARKER)
        ).alias("words"),
    )
    return masks["marks"], masks["words"]


MAX_PARSED_VALUES = 20_000
"""How many distinct values one by one are read as days or names; above, a random sample."""
_SAMPLE_SIZE = 4_000


@dataclass(frozen=True, eq=False)
class DistinctCells:
    """Distinct cells as they came, how often each, and after NFKC; null cells are left out."""

    name: str
    rows: int
    raw: pl.Series
    counts: pl.Series
    off: Set[str] = frozenset()
    said: DatePreferences = NO_PREFERENCES
    """What the owner says of days that no cell decides."""

    @classmethod
    def of(
        cls, series: pl.Series, off: Set[str] = frozenset(), said: DatePreferences = NO_PREFERENCES
    ) -> Self:
        """Count the cells of a text column; where hardly any repeats, each stands for itself."""
        filled = series.drop_nulls()
        if (
            len(filled) > MAX_PARSED_VALUES
            and filled.gather_every(len(filled) // 1000).n_unique() > 900
        ):
            ones = pl.Series("len", [1], pl.Int64).new_from_index(0, len(filled))
            return cls(series.name, len(series), filled, ones, off, said)
        cells = filled.alias("cell").to_frame().lazy().group_by("cell").len().sort("cell").collect()
        counts = cells["len"].cast(pl.Int64)
        return cls(series.name, len(series), cells["cell"], counts, off, said)

    @cached_property
    def text(self) -> pl.Series:
        """The distinct cells as they are compared: NFKC, no outer blanks."""
        return normalize_text(self.raw, self.off)

    @cached_property
    def missing(self) -> pl.Series:
        """Which distinct cells say that nothing is known; among numbers or days in words, too."""
        if "missing" in self.off:
            return self.text == ""
        marker_mask, word_mask = find_missing_markers(self.text)
        if not word_mask.any() or self._is_mostly_values(~marker_mask):
            return word_mask
        return (
            marker_mask & ~is_na_real_value(self.text, self.counts, marker_mask)
            if marker_mask.any()
            else marker_mask
        )

    def _is_mostly_values(self, filled: pl.Series) -> bool:
        """Whether most cells are numbers, days or of a known form."""
        text, counts = _sample_values(self.text.filter(filled), self.counts.filter(filled))
        value_pattern = "|".join(
            CELL_PATTERNS[name] for name in ("email", "phone", "postal", "ip", "date_like")
        )
        is_value = parse_numbers(text, self.off).values.is_not_null() | text.str.contains(
            value_pattern
        )
        return 2 * int(counts.filter(is_value).sum()) > int(counts.sum())

    @cached_property
    def filled(self) -> pl.Series:
        """Distinct cells that say something, after NFKC."""
        return self.text.filter(~self.missing)

    @cached_property
    def weights(self) -> pl.Series:
        """How often each of `filled`."""
        return self.counts.filter(~self.missing)

    @cached_property
    def total(self) -> int:
        """How many cells say something."""
        return int(self.weights.sum())

    @cached_property
    def distinct(self) -> int:
        """How many different values, after NFKC."""
        return int(self.filled.n_unique())

    @property
    def unique_share(self) -> float:
        """Different values per filled cell."""
        return self.distinct / max(self.total, 1)

    @cached_property
    def sample(self) -> tuple[pl.Series, pl.Series]:
        """Some of the filled values, at random but always the same, with their weights."""
        return _sample_values(self.filled, self.weights)


def normalize_text(cells: pl.Series, off: Set[str] = frozenset()) -> pl.Series:
    """Cells after NFKC and without outer blanks; only outer blanks go where `nfkc` is off."""
    if "nfkc" in off:
        return cells
    if (cells.str.len_bytes() == cells.str.len_chars()).all():
        return cells.str.strip_chars()
    return cells.str.normalize("NFKC").str.strip_chars()


def _sample_values(text: pl.Series, weights: pl.Series) -> tuple[pl.Series, pl.Series]:
    if len(text) <= _SAMPLE_SIZE:
        return text, weights
    rows = pl.int_range(len(text), eager=True).sample(_SAMPLE_SIZE, seed=1)
    return text[rows], weights[rows]
