"""Parses numbers such as `15,373`, `¥1,200`, `▲300`, `25回`, `12.5%`, `(1,000)`, `3万円`.

Every step is a rule with a name; a rule that is switched off leaves its cells unread.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from unicodedata import category

import polars as pl

UNITS = (
    "歳 才 回 人 名 個 件 点 日間 日 泊 分間 分 秒 時間 年間 年 か月 ヶ月 カ月 ヵ月 % "
    "℃ °C 度 kg cm mm km m "
    "g mg mL ml L kcal mmHg bpm 冊 本 枚 台 位 倍 割 代 円/月 years yrs year days "
    "hours hrs min sec pts"
)
_UNIT_PATTERN = "|".join(sorted(UNITS.split(), key=len, reverse=True))
_CURRENCY_FACTORS = {
    "千円": 1e3,
    "万円": 1e4,
    "百万円": 1e6,
    "億円": 1e8,
    "円": 1.0,
    "万": 1e4,
    "億": 1e8,
}
_CURRENCY_CODES = (
    "JPY|USD|EUR|GBP|CHF|CNY|KRW|INR|BRL|PLN|TRY|RUB|SEK|NOK|DKK|CZK|HUF|AUD|CAD|VND|THB"
)
_CURRENCY_SIGNS = rf"\\|US\$|R\$|\p{{Sc}}|Rs\.?|kr\.?|Fr\.?|{_CURRENCY_CODES}"
_PLAIN_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_NEGATIVE_NUMBER = (
    rf"^[▲△−–]\s*(?:{_CURRENCY_SIGNS})?\s*[0-9.]|^\(\s*(?:{_CURRENCY_SIGNS})?\s*[0-9][0-9,.]*\s*\)$"
)
_LEADING_CURRENCY = rf"^([+-]?)\s*(?:{_CURRENCY_SIGNS})\s*([+-]?[0-9.])"
_CURRENCY_ENDINGS = (
    "百万円|千円|万円|億円|円|万|億|ドル|ユーロ|元|원|"
    rf"\p{{Sc}}|{_CURRENCY_CODES}|zł|TL|kr\.?|Kč|Ft|lei|руб\.?|р\.|грн|Rs\.?|đ|VNĐ|บาท"
)
_TRAILING_CURRENCY = rf"[0-9]\s*({_CURRENCY_ENDINGS})$"
_COMMA_THOUSANDS = r"^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$"
_INDIAN_GROUPS = r"^[+-]?[0-9]{1,2}(,[0-9]{2})+,[0-9]{3}(\.[0-9]+)?$"
"""As in India, where only the last group has three."""
_SEVERAL_COMMA_GROUPS = r"^[+-]?[0-9]{1,3}(,[0-9]{3}){2,}(\.[0-9]+)?$"
_MIN_EVIDENCE_CELLS = 3
_DOT_THOUSANDS = r"^[+-]?[0-9]{1,3}(\.[0-9]{3})+(,[0-9]+)?$"
_SEVERAL_DOT_GROUPS = r"^[+-]?[0-9]{1,3}(\.[0-9]{3}){2,}(,[0-9]+)?$"
_DECIMAL_COMMA = r"^[+-]?([0-9]{1,3}(\.[0-9]{3})*|[0-9]+),[0-9]{1,2}$"
_WHOLE_FLOAT = r"^-?[0-9]+\.0+$"
_MIN_DECIMAL_COMMA_SHARE = 0.6


@dataclass(frozen=True, eq=False)
class ParsedNumbers:
    """Parsed numbers (null: no number), the rules applied to each cell, and the unit."""

    values: pl.Series
    touched: dict[str, pl.Series]
    unit: str = ""


def parse_numbers(text: pl.Series, off: Set[str] = frozenset()) -> ParsedNumbers:
    """Distinct cells (after NFKC) as numbers, by the rules that are on and whose signs occur."""
    signs = set(text.str.join("").item())
    if signs.isdisjoint("0123456789"):  # nothing that a rule could read
        return ParsedNumbers(
            pl.Series(text.name, [None], pl.Float64).new_from_index(0, len(text)), {}
        )
    touched: dict[str, pl.Series] = {}
    cells = text
    if cells.str.contains(_PLAIN_NUMBER).all():
        return _parse_plain_numbers(cells, off, signs)
    if "negative" not in off and not signs.isdisjoint("▲△−–("):
        touched["negative"] = cells.str.contains(_NEGATIVE_NUMBER)
        cells = cells.str.replace(r"^[▲△−–]\s*", "-").str.replace(r"^\((.*)\)$", "-${1}")
    factor: pl.Series | float = 1.0
    if "currency" not in off and any(map(_is_currency_character, signs)):
        trailing = cells.str.extract(_TRAILING_CURRENCY)
        touched["currency"] = cells.str.contains(_LEADING_CURRENCY) | trailing.is_not_null()
        factor = trailing.replace_strict(_CURRENCY_FACTORS, default=1.0, return_dtype=pl.Float64)
        cells = cells.str.replace(_LEADING_CURRENCY, "${1}${2}")
        cells = cells.str.replace(rf"([0-9])\s*(?:{_CURRENCY_ENDINGS})$", "${1}")
    unit = "" if "unit" in off else _find_common_unit(cells, signs)
    if unit:
        ending = cells.str.ends_with(unit)
        touched["unit"] = ending & cells.str.contains(r"[0-9]")
        cells = cells.str.strip_suffix(unit).str.strip_chars_end()
    if "decimal-comma" not in off and "," in signs and _has_decimal_commas(cells):
        touched["decimal-comma"] = cells.str.contains(_DECIMAL_COMMA)
        cells = cells.str.replace_all(r"\.([0-9]{3})", "${1}").str.replace(",", ".")
    elif (
        "thousands" not in off
        and "." in signs
        and _has_dot_thousands(cells, touched.get("currency"))
    ):
        touched["thousands"] = cells.str.contains(_DOT_THOUSANDS)
        plain = cells.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
        cells = _select_cells(touched["thousands"], plain, cells)
    elif "thousands" not in off and "," in signs:
        touched["thousands"] = cells.str.contains(_COMMA_THOUSANDS)
        if _has_indian_groups(cells):
            touched["thousands"] |= cells.str.contains(_INDIAN_GROUPS)
        plain = cells.str.replace_all(",", "")
        cells = _select_cells(touched["thousands"], plain, cells)
    is_number = cells.str.contains(_PLAIN_NUMBER)
    values = _select_cells(is_number, cells, None).cast(pl.Float64, strict=False) * factor
    if "integer-as-float" not in off and "." in signs:
        is_whole_float = cells.str.contains(_WHOLE_FLOAT)
        everywhere = bool(is_number.any()) and not (is_number & ~is_whole_float).any()
        touched["integer-as-float"] = is_whole_float if everywhere else is_whole_float & False
    return ParsedNumbers(values, {rule: mask & is_number for rule, mask in touched.items()}, unit)


def _is_currency_character(sign: str) -> bool:
    """Every sign and word of money has a letter, a sign of a currency or the yen's backslash."""
    return sign.isalpha() or sign == "\\" or category(sign) == "Sc"


def _parse_plain_numbers(cells: pl.Series, off: Set[str], signs: Set[str]) -> ParsedNumbers:
    """Cells that are numbers as they stand: only zeros behind a point are left to any rule."""
    values = cells.cast(pl.Float64, strict=False)
    if "integer-as-float" in off or "." not in signs:
        return ParsedNumbers(values, {})
    is_whole_float = cells.str.contains(_WHOLE_FLOAT)
    return ParsedNumbers(
        values,
        {"integer-as-float": is_whole_float if is_whole_float.all() else is_whole_float & False},
    )


def _select_cells(mask: pl.Series, cells: pl.Series, other: pl.Series | None) -> pl.Series:
    return cells.zip_with(
        mask,
        pl.Series(cells.name, [None], pl.String).new_from_index(0, len(cells))
        if other is None
        else other,
    )


def _find_common_unit(cells: pl.Series, signs: Set[str]) -> str:
    """The unit behind the numbers, if one serves them all."""
    if not any(map(str.isalpha, signs)) and signs.isdisjoint("%°℃"):
        return ""
    unit_cells = cells.str.extract(rf"^[+-]?[0-9][0-9,.]*\s*({_UNIT_PATTERN})$").drop_nulls()
    units = unit_cells.unique()
    return str(units[0]) if len(units) == 1 and len(unit_cells) > 0 else ""


def _has_decimal_commas(cells: pl.Series) -> bool:
    """Whether most cells are `3,5` or `1.234,56` and none can only be groups of three."""
    comma_share = float(cells.str.contains(_DECIMAL_COMMA).mean() or 0)  # type: ignore[arg-type]
    if not len(cells) or comma_share < _MIN_DECIMAL_COMMA_SHARE:
        return False
    return not cells.str.contains(r"^[+-]?[0-9]{1,3}(,[0-9]{3})+$").any()


def _has_indian_groups(cells: pl.Series) -> bool:
    """Whether several cells are in groups of two before the last, and none in threes throughout."""
    indian_count = int(cells.str.contains(_INDIAN_GROUPS).sum())
    return (
        indian_count >= _MIN_EVIDENCE_CELLS and not cells.str.contains(_SEVERAL_COMMA_GROUPS).any()
    )


def _has_dot_thousands(cells: pl.Series, money: pl.Series | None) -> bool:
    """Whether dots part thousands: some cell has two of them, and none has a dot elsewhere.

    Sums of money with three digits behind every dot are in thousands, too: `1.200 €` is no 1.2.
    """
    dotted = cells.str.contains(r"^[+-]?[0-9]+\.")
    if (dotted & ~cells.str.contains(_DOT_THOUSANDS)).any():
        return False
    sums = 0 if money is None else int((dotted & money).sum())
    return sums >= _MIN_EVIDENCE_CELLS or bool(cells.str.contains(_SEVERAL_DOT_GROUPS).any())
