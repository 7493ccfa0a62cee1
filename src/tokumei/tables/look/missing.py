"""Cells that say that nothing is known, as people write them."""

from __future__ import annotations

import polars as pl

MARKS = frozenset(
    ("", "na", "n/a", "n.a.", "nan", "null", "none", "#n/a", "<na>", "nat", "-", "--", "―", "ー")
) | frozenset(("?", ".", "…", "‐", "–", "—"))
"""Missing in any column, in lower case after NFKC."""
NONE_IS_A_WORD = frozenset(("none",))
"""Marks that are words in a column of words (`none` may be a hair colour)."""
WORDS = frozenset(
    ("なし", "無し", "不明", "未測定", "未回答", "無回答", "未記入", "未登録", "未定", "該当なし")
) | frozenset(("欠", "欠席", "測定不能", "検査なし", "unknown", "missing", "not available", "unk"))
"""Missing only where cells are numbers, dates or of a known form."""
NOT_APPLICABLE = "na"
"""A mark, and the code of Namibia and of North America."""
_CODE, _CODES, _MOST = r"^[A-Z]{2,5}$", 3, 0.8
_BRACKETED = r"^[<＜〈\[(].*(なし|不明|missing|unknown|empty).*[>＞〉\])]$"


def normal(text: pl.Series) -> pl.Series:
    """Texts as marks are compared: NFKC, no outer blanks, lower case."""
    return text.str.normalize("NFKC").str.strip_chars().str.to_lowercase()


def is_code(text: pl.Series, counts: pl.Series, missing: pl.Series) -> pl.Series:
    """Which cells are `NA` where most of the others are codes as short."""
    asked = (text == NOT_APPLICABLE.upper()) & missing
    codes = text.str.contains(_CODE) & ~missing
    others, rows = (int(counts.filter(which).sum()) for which in (~missing, codes))
    alike = codes.sum() >= _CODES and rows >= _MOST * others
    return asked if alike else asked & False


def is_missing(text: pl.Series, *, words: bool) -> pl.Series:
    """Which cells (after NFKC) are missing; with `words`, those that say so in words, too."""
    return missing_marks(text)[words]


def missing_marks(text: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Which cells are missing, first by marks alone, then with those that say so in words."""
    maybe = ~text.str.contains(r"^[0-9]")  # no mark begins with a digit, most numbers do
    if not maybe.any():
        return maybe, maybe
    lower = pl.col("text").str.to_lowercase()
    found = pl.DataFrame({"text": text}).select(
        lower.is_in(list(MARKS - NONE_IS_A_WORD)).alias("marks"),
        (lower.is_in(list(MARKS | WORDS)) | lower.str.contains(_BRACKETED)).alias("words"),
    )
    return found["marks"], found["words"]
