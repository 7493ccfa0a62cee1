"""When two texts are the same to a reader: one equivalence for people, values, links and gates.

    as_read(pl.col("uid"))       # "ann0x", "ann0x ", "ＡＮＮ０Ｘ", "ann\u200b0x" all become "ann0x"

A text is composed (NFKC), loses its invisible characters (Unicode's default-ignorable code points,
and blanks that are drawn as nothing) and its blanks, is case folded, and is written plainly if it
is a number: 1, 01, +1, 1.0 and １ are one. A gap is a gap, and so is a text of which nothing is
left. Where it is unsure whether two texts are the same, they are: a group may then be called too
small, but never large enough when it is not.
"""

from __future__ import annotations

import polars as pl

INVISIBLE = (
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}"
    r"\x{e0000}-\x{e0fff}\s\p{Cf}\p{Cc}]+"
)
_WHOLE = r"^[+]?(-?)0*(\d+)(?:\.0*)?$"
_FRACTION = r"^[+]?(-?)0*(\d*\.\d*[1-9])0*$"


def as_read(texts: pl.Expr) -> pl.Expr:
    """Spell every text in one way: equal if and only if they are the same to a reader."""
    plain = texts.str.normalize("NFKC").str.replace_all(INVISIBLE, "")
    plain = plain.str.normalize("NFKC").str.to_lowercase().str.replace_all("ß", "ss")
    plain = plain.str.replace_all("ς", "σ").str.normalize("NFKC")
    plain = plain.str.replace("^−", "-").str.replace(_WHOLE, "$1$2")
    plain = plain.str.replace(_FRACTION, "$1$2").str.replace(r"^(-?)\.", "${1}0.")
    plain = plain.str.replace("^-0$", "0")
    return pl.when(plain != "").then(plain)


def series_as_read(values: pl.Series) -> pl.Series:
    """Spell the cells of a column in one way; other types than texts become texts first."""
    texts = values.cast(pl.String)
    return texts.to_frame("text").select(as_read(pl.col("text")))["text"].alias(values.name)
