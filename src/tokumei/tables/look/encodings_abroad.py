"""Encodings of other scripts, told by letters that every text in them is full of.

Latin text has single bytes beyond ASCII between its letters, other scripts have runs of them. What
fits no script well enough is not guessed.
"""

from __future__ import annotations

import re

_RUNS = re.compile(rb"[\x80-\xff]{3,}")
_HIGH = re.compile(rb"[\x80-\xff]")
_PAIRS = re.compile(rb"[\x81-\xfe][\x41-\xfe]")
_KANA_ROWS = (0xA4, 0xA5)
_HANGUL = (0xB0, 0xC8)
_COMMON_HAN = (0xB0, 0xD7)
_SYMBOLS = (0xA1, 0xA3)
_NEARLY_ALL, _MOST, _FEWEST = 0.98, 0.8, 20
_SCRIPTS = {
    "cp1251": "оеаинтсрвл",
    "koi8-r": "оеаинтсрвл",
    "cp1253": "αοιετσνηυρςάίόέή",
    "cp1255": "יוהלאתרבמש",
    "cp1256": "اليمنرتبةدوه",
    "cp874": "านรอกเงมย่วลสตท้ัี",
}
"""The commonest letters of what is written in an encoding; in running text half of all or more."""
_OFTEN = 0.45
_POLISH_CZECH = re.compile(
    rb"(?<=[A-Za-z])[\xb3\xb9\xbf\x9c\x9f\x9a\x9e\xe8\xf8\xec\xf9\xb6](?=[A-Za-z\s;,|])"
)
_NOT_LATIN = re.compile(rb"(?<=[A-Za-z])[\xb3\xb9\xbf](?=[A-Za-z\s;,|])")
_TURKISH = re.compile(rb"[\xd0\xdd\xde\xf0\xfd\xfe]")
_ICELANDIC = re.compile(rb"[\xc6\xe6\xe1\xed\xf3\xfa]")
_SHARE = 0.3
_HUNGARIAN = re.compile(rb"(?<=[A-Za-z])[\xf5\xfb]|[\xd5\xdb](?=[a-z])")
_NEVER_HUNGARIAN = re.compile(rb"[\xe0\xe3-\xe8\xea\xee\xf0\xf1\xf2\xf4\xf8]")
"""Letters of French, Portuguese, Spanish, Estonian and Scandinavian beside which õ and û stand."""


def reads_as_korean(data: bytes) -> bool:
    """Whether pairs that may be Japanese have no kana, and all lie where Korean has syllables."""
    rows = [pair[0] for pair in _PAIRS.findall(data[: 2**16])]
    inside = sum(_HANGUL[0] <= row <= _HANGUL[1] for row in rows)
    signs = sum(_SYMBOLS[0] <= row <= _SYMBOLS[1] for row in rows)
    kana = sum(row in _KANA_ROWS for row in rows)
    return not kana and inside >= _FEWEST and inside + signs >= _NEARLY_ALL * len(rows)


def eastern(data: bytes) -> str | None:
    """Korean or Chinese, if most pairs of bytes are common syllables or words of it."""
    if not _in_runs(data, at_least=0.5):
        return None
    for codec, plain, (low, high) in (
        ("cp949", "euc-kr", _HANGUL),
        ("gb18030", "gb2312", _COMMON_HAN),
    ):
        text = data.decode(codec, errors="replace")
        wide = [char for char in text if ord(char) > 0x7F]
        rows = [char.encode(plain, errors="replace")[0] for char in wide]
        if len(wide) >= _FEWEST and sum(low <= row <= high for row in rows) > _MOST * len(wide):
            return codec
    return None


def western(data: bytes) -> str | None:
    """Cyrillic, Greek, Hebrew, Arabic, Thai by common letters; Central European, Turkish by odd."""
    if _in_runs(data, at_least=0.6):
        shares = {codec: _common(data, codec) for codec in _SCRIPTS}
        best = max(shares, key=lambda codec: shares[codec])
        return best if shares[best] >= _OFTEN else None
    high = len(_HIGH.findall(data))
    if len(_NOT_LATIN.findall(data)) > 1 and len(_POLISH_CZECH.findall(data)) > _SHARE / 3 * high:
        return "cp1250"
    if len(_HUNGARIAN.findall(data)) > 1 and not _NEVER_HUNGARIAN.search(data):
        return "cp1250"
    odd, icelandic = len(_TURKISH.findall(data)), len(_ICELANDIC.findall(data))
    return "cp1254" if odd > _SHARE * high and icelandic < odd / 10 else None


def _in_runs(data: bytes, *, at_least: float) -> bool:
    high = len(_HIGH.findall(data))
    return high > 0 and sum(map(len, _RUNS.findall(data))) > at_least * high


def _common(data: bytes, codec: str) -> float:
    """The commonest letters among all that is not ASCII; capitals count as they are written."""
    wide = [char for char in data.decode(codec, errors="replace") if ord(char) > 0x7F]
    return sum(char in _SCRIPTS[codec] for char in wide) / max(len(wide), 1)
