"""One spelling for all texts that are the same to a reader; written apart from what methods use.

merge_spelling(" ＡＮＮ\u200b01")        # "ann01"
merge_spelling("+01.0"), merge_spelling("2024/5/1")      # "1", "2024-05-01"
"""

from __future__ import annotations

import re
import unicodedata

_NUMBER = re.compile(r"([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,3})?")
_DAY = re.compile(
    r"([12][0-9]{3})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?(?:t?00:00(?::00(?:\.0+)?)?)?"
)
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def merge_spelling(text: str | None) -> str | None:
    """The one spelling of a text; None: there is nothing to read."""
    if text is None:
        return None
    plain = _fold(_fold(text).replace("ß", "ss").replace("ς", "σ"))
    if plain.startswith("−"):
        plain = "-" + plain[1:]
    if number := _NUMBER.fullmatch(plain):
        return _spell_number(plain, number)
    if day := _DAY.fullmatch(plain):
        return f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}"
    return plain or None


def _fold(text: str) -> str:
    """Composed and in lower case, without blanks and invisible characters."""
    if text.isascii():
        return "".join(char for char in text.lower() if "!" <= char <= "~")
    visible = _IGNORABLE.sub("", unicodedata.normalize("NFKC", text))
    return "".join(
        char
        for char in visible.lower()
        if not char.isspace() and unicodedata.category(char) not in ("Cf", "Cc")
    )


def _spell_number(text: str, number: re.Match[str]) -> str:
    sign, digits = number[1], number[2]
    if number[3]:
        value = abs(float(text))
        if value != 0 and not 1e-4 <= value < 1e15:
            return text
        digits = repr(value)
    whole, _, fraction = digits.partition(".")
    plain = (whole.lstrip("0") or "0") + "." + fraction.rstrip("0")
    plain = plain.removesuffix(".")
    return "-" + plain if sign == "-" and plain != "0" else plain
