"""Numbers as people write them: `15,373`, `¥1,200`, `▲300`, `25回`, `12.5%`, `(1,000)`, `3万円`.

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
_UNIT = "|".join(sorted(UNITS.split(), key=len, reverse=True))
_FACTORS = {"千円": 1e3, "万円": 1e4, "百万円": 1e6, "億円": 1e8, "円": 1.0, "万": 1e4, "億": 1e8}
_CODES = "JPY|USD|EUR|GBP|CHF|CNY|KRW|INR|BRL|PLN|TRY|RUB|SEK|NOK|DKK|CZK|HUF|AUD|CAD|VND|THB"
_MONEY = rf"\\|US\$|R\$|\p{{Sc}}|Rs\.?|kr\.?|Fr\.?|{_CODES}"
_PLAIN = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_NEGATIVE = rf"^[▲△−–]\s*(?:{_MONEY})?\s*[0-9.]|^\(\s*(?:{_MONEY})?\s*[0-9][0-9,.]*\s*\)$"
_LEADING = rf"^([+-]?)\s*(?:{_MONEY})\s*([+-]?[0-9.])"
_ENDINGS = (
    "百万円|千円|万円|億円|円|万|億|ドル|ユーロ|元|원|"
    rf"\p{{Sc}}|{_CODES}|zł|TL|kr\.?|Kč|Ft|lei|руб\.?|р\.|грн|Rs\.?|đ|VNĐ|บาท"
)
_TRAILING = rf"[0-9]\s*({_ENDINGS})$"
_THOUSANDS = r"^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$"
_LAKHS = r"^[+-]?[0-9]{1,2}(,[0-9]{2})+,[0-9]{3}(\.[0-9]+)?$"
"""As in India, where only the last group has three."""
_SEVERAL_GROUPS = r"^[+-]?[0-9]{1,3}(,[0-9]{3}){2,}(\.[0-9]+)?$"
_FEWEST = 3
_DOTS = r"^[+-]?[0-9]{1,3}(\.[0-9]{3})+(,[0-9]+)?$"
_TWO_DOTS = r"^[+-]?[0-9]{1,3}(\.[0-9]{3}){2,}(,[0-9]+)?$"
_COMMA = r"^[+-]?([0-9]{1,3}(\.[0-9]{3})*|[0-9]+),[0-9]{1,2}$"
_WHOLE_FLOAT = r"^-?[0-9]+\.0+$"
_MOSTLY = 0.6


@dataclass(frozen=True, eq=False)
class Numbers:
    """What the cells say (null: no number), which rules touched which of them, and the unit."""

    values: pl.Series
    touched: dict[str, pl.Series]
    unit: str = ""


def parse_numbers(text: pl.Series, off: Set[str] = frozenset()) -> Numbers:
    """Distinct cells (after NFKC) as numbers, by the rules that are on and whose signs occur."""
    signs = set(text.str.join("").item())
    if signs.isdisjoint("0123456789"):  # nothing that a rule could read
        return Numbers(pl.Series(text.name, [None], pl.Float64).new_from_index(0, len(text)), {})
    touched: dict[str, pl.Series] = {}
    cells = text
    if cells.str.contains(_PLAIN).all():
        return _plain_numbers(cells, off, signs)
    if "negative" not in off and not signs.isdisjoint("▲△−–("):
        touched["negative"] = cells.str.contains(_NEGATIVE)
        cells = cells.str.replace(r"^[▲△−–]\s*", "-").str.replace(r"^\((.*)\)$", "-${1}")
    factor: pl.Series | float = 1.0
    if "currency" not in off and any(map(_may_be_money, signs)):
        trailing = cells.str.extract(_TRAILING)
        touched["currency"] = cells.str.contains(_LEADING) | trailing.is_not_null()
        factor = trailing.replace_strict(_FACTORS, default=1.0, return_dtype=pl.Float64)
        cells = cells.str.replace(_LEADING, "${1}${2}")
        cells = cells.str.replace(rf"([0-9])\s*(?:{_ENDINGS})$", "${1}")
    unit = "" if "unit" in off else _one_unit(cells, signs)
    if unit:
        ending = cells.str.ends_with(unit)
        touched["unit"] = ending & cells.str.contains(r"[0-9]")
        cells = cells.str.strip_suffix(unit).str.strip_chars_end()
    if "decimal-comma" not in off and "," in signs and _has_decimal_commas(cells):
        touched["decimal-comma"] = cells.str.contains(_COMMA)
        cells = cells.str.replace_all(r"\.([0-9]{3})", "${1}").str.replace(",", ".")
    elif "thousands" not in off and "." in signs and _has_dots(cells, touched.get("currency")):
        touched["thousands"] = cells.str.contains(_DOTS)
        plain = cells.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
        cells = _where(touched["thousands"], plain, cells)
    elif "thousands" not in off and "," in signs:
        touched["thousands"] = cells.str.contains(_THOUSANDS)
        if _has_lakhs(cells):
            touched["thousands"] |= cells.str.contains(_LAKHS)
        plain = cells.str.replace_all(",", "")
        cells = _where(touched["thousands"], plain, cells)
    good = cells.str.contains(_PLAIN)
    values = _where(good, cells, None).cast(pl.Float64, strict=False) * factor
    if "integer-as-float" not in off and "." in signs:
        whole = cells.str.contains(_WHOLE_FLOAT)
        everywhere = bool(good.any()) and not (good & ~whole).any()
        touched["integer-as-float"] = whole if everywhere else whole & False
    return Numbers(values, {rule: mask & good for rule, mask in touched.items()}, unit)


def _may_be_money(sign: str) -> bool:
    """Every sign and word of money has a letter, a sign of a currency or the yen's backslash."""
    return sign.isalpha() or sign == "\\" or category(sign) == "Sc"


def _plain_numbers(cells: pl.Series, off: Set[str], signs: Set[str]) -> Numbers:
    """Cells that are numbers as they stand: only zeros behind a point are left to any rule."""
    values = cells.cast(pl.Float64, strict=False)
    if "integer-as-float" in off or "." not in signs:
        return Numbers(values, {})
    whole = cells.str.contains(_WHOLE_FLOAT)
    return Numbers(values, {"integer-as-float": whole if whole.all() else whole & False})


def _where(mask: pl.Series, cells: pl.Series, other: pl.Series | None) -> pl.Series:
    return cells.zip_with(
        mask,
        pl.Series(cells.name, [None], pl.String).new_from_index(0, len(cells))
        if other is None
        else other,
    )


def _one_unit(cells: pl.Series, signs: Set[str]) -> str:
    """The unit behind the numbers, if one serves them all."""
    if not any(map(str.isalpha, signs)) and signs.isdisjoint("%°℃"):
        return ""
    found = cells.str.extract(rf"^[+-]?[0-9][0-9,.]*\s*({_UNIT})$").drop_nulls()
    units = found.unique()
    return str(units[0]) if len(units) == 1 and len(found) > 0 else ""


def _has_decimal_commas(cells: pl.Series) -> bool:
    """Whether most cells are `3,5` or `1.234,56` and none can only be groups of three."""
    if not len(cells) or float(cells.str.contains(_COMMA).mean() or 0) < _MOSTLY:  # type: ignore[arg-type]
        return False
    return not cells.str.contains(r"^[+-]?[0-9]{1,3}(,[0-9]{3})+$").any()


def _has_lakhs(cells: pl.Series) -> bool:
    """Whether several cells are in groups of two before the last, and none in threes throughout."""
    found = int(cells.str.contains(_LAKHS).sum())
    return found >= _FEWEST and not cells.str.contains(_SEVERAL_GROUPS).any()


def _has_dots(cells: pl.Series, money: pl.Series | None) -> bool:
    """Whether dots part thousands: some cell has two of them, and none has a dot elsewhere.

    Sums of money with three digits behind every dot are in thousands, too: `1.200 €` is no 1.2.
    """
    dotted = cells.str.contains(r"^[+-]?[0-9]+\.")
    if (dotted & ~cells.str.contains(_DOTS)).any():
        return False
    sums = 0 if money is None else int((dotted & money).sum())
    return sums >= _FEWEST or bool(cells.str.contains(_TWO_DOTS).any())
