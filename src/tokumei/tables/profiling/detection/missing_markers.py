"""Markers of missing values."""

from __future__ import annotations

import polars as pl

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
