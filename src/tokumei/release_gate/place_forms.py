"""Recognizes where somebody lives or is: street addresses, coordinates, number plates."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PREFECTURE = r"(?:北海道|東京都|京都府|大阪府|[一-龠]{2,3}県)"
_ADDRESSES = re.compile(
    rf"{_PREFECTURE}[^\d]{{0,12}}[市区町村郡].{{0,12}}\d|[市区町村][^\d\s]{{1,10}}\d+(?:丁目|番"
    rf"|[-－ー‐]\d)|\d+丁目|\d+番地?\d*号?|〒\s?\d{{3}}"
    r"|[市区县路街道巷弄]\s?\d+\s?[号號]|\d+\s?[号號]\s?(?:楼|室)|[가-힣]+(?:로|길)\s?\d+"
    r"|[가-힣]+(?:동|읍|면)\s\d+"
    r"|(?:ул\.|улица|пр\.|просп|пер\.|наб\.)\s?\S.*\d|(?:οδός|Λεωφ)\S*\s.*\d|שד?רחוב .*\d"
    r"|شارع .*[\d٠-٩]|ถนน.*\d|\d+/?\d*\s?(?:ถนน|ซอย)"
    r"|\bp\.?\s?o\.?\s?box \d+",
    re.IGNORECASE,
)
_STREET_WORDS = (
    r"street|str|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|terrace|"
    r"way|square|sq|crescent|close|parkway|pkwy|highway|hwy|circle|cir|mews|grove|gardens|row|walk"
)
_ENGLISH = re.compile(
    rf"(?<![\w.-])\d+[a-z]?,?\s(?:[nsew]\.?\s)?(?:[\w.'-]+\s){{1,4}}(?:{_STREET_WORDS})\b\.?",
    re.IGNORECASE,
)
_NUMBER_LAST = re.compile(
    r"\b(?:\w+(?:straße|strasse|str\.|gasse|platz|allee|weg|straat|laan|plein|gracht|kade|dreef"
    r"|gatan|vägen|gade|vej|veien|katu|tie)"
    r"|(?:rua|calle|carrer|avenida|avda?\.|av\.|plaza|paseo|camino|travessa|praça|via|viale"
    r"|piazza|corso|vicolo|largo|ulica|ul\.|aleja|al\.|cesta|rue|jalan|jl\."
    r"|đường)\s[^\d,]{2,40},?)"
    r"\s(?:n[º°.o]*\s?)?\d+[a-z]?\b",
    re.IGNORECASE,
)
_FRENCH = re.compile(
    r"\b\d+\s?(?:bis|ter)?,?\s(?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|allée|quai"
    r"|route|cours|passage|jalan|đường)\s\w+",
    re.IGNORECASE,
)
_DECIMAL_PAIR = re.compile(
    r"(?<![\d.])([-+]?\d{1,2}\.\d{3,})\s?°?\s?[NS]?\s?[,;/ ]\s?([-+]?\d{1,3}\.\d{3,})(?![\d.])",
    re.IGNORECASE,
)
_DEGREES = re.compile(
    r"\d{1,3}\s?[°º度]\s?\d{1,2}(?:\.\d+)?\s?['′’分]|\d{1,3}\.\d{3,}\s?°?\s?[NSEW]\b|geo:-?\d"
    r"|[@/]-?\d{1,2}\.\d{3,},-?\d"
)
_GRID = re.compile(
    r"(?<!\w)[23456789CFGHJMPQRVWX]{4,8}\+[23456789CFGHJMPQRVWX]{2,3}(?!\w)"
    r"|(?<!\w)\d{1,2}[C-X][A-HJ-NP-Z]{2}\s?\d{4,5}\s?\d{4,5}(?!\w)|///\w+\.\w+\.\w+"
    r"|\b[A-R]{2}\d\d[a-x]{2}\d\d\b"
)
_POINT = re.compile(r"\bPOINT\s?\(\s?-?\d+\.\d{3,}\s-?\d+\.\d{3,}|SRID=\d+", re.IGNORECASE)
_PLATES = re.compile(
    r"[一-龠ぁ-ん]{1,4}\s?\d{2,3}[A-Z]?\s?[ぁ-んA-Z]\s?[\d・.]{1,2}[-－ ]?\d{2}(?!\d)"
    r"|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]\s?[A-Z]\s?[·•]?\s?[A-Z0-9"
    r"]{5,6}"
    r"|(?<!\d)\d{2,3}\s?[가-힣]\s?\d{4}(?!\d)"
    r"|(?<![\w-])[A-Z]{2}-\d{3}-[A-Z]{2}(?![\w-])"
    r"|(?<![\w-])[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ -]\d{1,4}[EH]?(?![\w-])"
    r"|(?<!\w)[A-Z]{2}\d{2}\s[A-Z]{3}(?!\w)|(?<!\w)[A-Z]{2}\s?\d{3}\s?[A-Z]{2}(?!\w)"
    r"|(?<!\w)\d{4}[ -][B-DF-HJ-NP-TV-Z]{3}(?!\w)"
    r"|(?<![\w-])(?:\d{2}-[A-Z]{2}-[A-Z]{2}|[A-Z]{2}-\d{2}-[A-Z]{2}|\d{2}-[A-Z]{3}-\d"
    r"|[A-Z]-\d{3}-[A-Z]{2})(?![\w-])"
    r"|(?<!\w)[АВЕКМНОРСТУХ]\s?\d{3}\s?[АВЕКМНОРСТУХ]{2}\s?\d{2,3}(?!\w)"
    r"|(?<!\w)[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,2}[ -]\d{4}(?!\w)"
    r"|(?<![\w-])[A-Z]{3}[- ]?\d[A-Z]\d{2}(?![\w-])|(?<![\w-])\d[A-Z]{3}\d{3}(?![\w-])"
)


def place_forms(text: str) -> Iterator[str]:
    """The forms of this group that occur in a text."""
    if not any(char.isdigit() for char in text) and "///" not in text:
        return
    if (
        _ADDRESSES.search(text)
        or _ENGLISH.search(text)
        or _NUMBER_LAST.search(text)
        or _FRENCH.search(text)
    ):
        yield "address"
    if _GRID.search(text) or _POINT.search(text) or _DEGREES.search(text) or _is_pair(text):
        yield "coordinates"
    if _PLATES.search(text):
        yield "plate"


def _is_pair(text: str) -> bool:
    return any(
        abs(float(first)) <= 90 and abs(float(second)) <= 180
        for first, second in _DECIMAL_PAIR.findall(text)
    )
