"""When two texts are the same to a reader: one equivalence for people, values, links and gates.

    as_read(pl.col("uid"))       # "ann0x", "ann0x ", "ＡＮＮ０Ｘ", "ann\u200b0x" all become "ann0x"

A text is composed (NFKC), loses its invisible characters (Unicode's default-ignorable code points,
and blanks that are drawn as nothing) and its blanks, is folded to lower case, and is written
plainly if it is a number (1, 01, +1, 1.0, 1e0 and １ are one) or a day (2024-05-01, 2024/5/1 and
2024年5月1日 are one). A gap is a gap, and so is a text of which nothing is left. Where it is unsure
whether two texts are the same, they are: a group may then be called too small, but never large
enough when it is not.
"""

from __future__ import annotations

import polars as pl

INVISIBLE = (
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}"
    r"\x{e0000}-\x{e0fff}\s\p{Cf}\p{Cc}]+"
)
_WHOLE = r"^(?:[+]|(-))?0*([0-9]+)(?:\.0*)?$"
_FRACTION = r"^(?:[+]|(-))?0*([0-9]*\.[0-9]*[1-9])0*$"
_POWER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)e[+-]?[0-9]{1,3}$"
_SMALLEST_PLAIN, _LARGEST_PLAIN = 1e-4, 1e15
"""Numbers between are written without a power of ten."""
_DAY = r"^([12][0-9]{3})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?(?:t?00:00(?::00(?:\.0+)?)?)?$"
_PLAIN = r"^[a-z_][a-z0-9_]*$|^(?:0|[1-9][0-9]*)$"
"""Texts that are spelled as they are read."""


def as_read(texts: pl.Expr) -> pl.Expr:
    """Spell every text in one way: equal if and only if they are the same to a reader."""
    plain = texts.str.normalize("NFKC").str.replace_all(INVISIBLE, "")
    plain = plain.str.to_lowercase().str.replace_all("ß", "ss").str.replace_all("ς", "σ")
    plain = plain.str.normalize("NFKC").str.replace_all(INVISIBLE, "")
    plain = _spell_day(_spell_number(plain.str.replace("^−", "-")))
    return pl.when(plain != "").then(plain)


def _spell_number(texts: pl.Expr) -> pl.Expr:
    """Numbers without leading and trailing zeros, plus signs and small powers of ten."""
    number = texts.cast(pl.Float64, strict=False)
    is_power = texts.str.contains(_POWER) & (
        number.abs().is_between(_SMALLEST_PLAIN, _LARGEST_PLAIN, closed="left") | (number == 0)
    )
    plain = pl.when(is_power).then(number.cast(pl.String)).otherwise(texts)
    plain = plain.str.replace(r"^([+-]?)\.([0-9]+)$", "${1}0.$2")
    plain = plain.str.replace(_WHOLE, "${1}${2}").str.replace(_FRACTION, "${1}${2}")
    return plain.str.replace(r"^(-?)\.([0-9]+)$", "${1}0.$2").str.replace("^-0$", "0")


def _spell_day(texts: pl.Expr) -> pl.Expr:
    """Days that begin with the year, with two digits each for month and day."""
    plain = texts.str.replace(_DAY, "$1-0$2-0$3")
    return plain.str.replace(r"^([0-9]{4}-)0?([0-9]{2}-)0?([0-9]{2})$", "$1$2$3")


def series_as_read(values: pl.Series) -> pl.Series:
    """Spell the cells of a column in one way; other types than texts become texts first."""
    texts = values.cast(pl.String)
    places = (~texts.str.contains(_PLAIN)).fill_null(value=False).arg_true()
    if not len(places):
        return texts
    odd = texts.gather(places).to_frame("text").select(as_read(pl.col("text")))["text"]
    return texts.scatter(places, odd).alias(values.name)
