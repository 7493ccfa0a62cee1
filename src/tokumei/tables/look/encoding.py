"""Which encoding a stranger's text is in, and the same text in UTF-8.

A byte order mark tells; else UTF-8 if it is that exactly; else Japanese if it decodes so *and*
reads so, because text in Latin-1 often decodes as cp932 by accident; Chinese if it would be odd
Japanese; other scripts by letters that every text in them is full of; else Latin-1. Latin text has
single bytes beyond ASCII between its letters, other scripts have runs of them. What fits no script
well enough is not guessed.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from tokumei.core.errors import InputError
from tokumei.core.patterns import Pattern
from tokumei.files.containers import AnyPath
from tokumei.files.encodings import to_utf8

_SAMPLE = 2**18
_KANA_OR_KANJI = Pattern("[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uff01-\uff5e\u3000-\u3015]{2,}")
_ALONE = Pattern(
    "(?<![^\x00-\x7f])[男女円歳才年月日人名回件個点無有他可否済〒○×・～](?![^\x00-\x7f])"
)
"""What stands alone between ASCII in Japanese tables: sexes, units, marks."""
_HALF_WIDTH_KANA = Pattern("[\uff61-\uff9f]")
_KANA = Pattern("[\u3041-\u3096\u30a1-\u30fa]")
_SECOND_LEVEL, _RARE = 0xD0, 0.1
_OTHERS = (
    *("latin-1", "iso-8859-1", "cp1252", "euc-jp", "iso-2022-jp"),
    *("gb18030", "gbk", "gb2312", "big5", "euc-kr", "cp949", "tis-620", "koi8-r", "cp1251"),
    *("cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp874", "iso-8859-2", "iso-8859-9"),
)
"""Encodings of which a byte that does not fit is shown as such, not refused."""
_FEW_BAD = 0.02
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_REPLACED = "\ufffd"
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


@dataclass(frozen=True)
class Decoded:
    """A text in UTF-8 without its mark, the encoding it came in, characters that were replaced."""

    data: bytes
    encoding: str
    replaced: int = 0


def decode(
    data: bytes, encoding: str = "auto", *, where: AnyPath, replace: bool = False
) -> Decoded:
    """The text in UTF-8; bytes that its encoding does not know fail with line and offset.

    With `replace` each of them becomes one replacement character instead, and they are counted.
    """
    name = guess_encoding(data) if encoding == "auto" else encoding.lower().replace("_", "-")
    if replace and name != "utf-16":
        text = data.decode(name, errors="replace")
        own = data.decode(name, errors="ignore").count(_REPLACED)
        return Decoded(text.encode(), name, text.count(_REPLACED) - own)
    if name in _OTHERS:
        return Decoded(data.decode(name, errors="replace").encode(), name)
    return Decoded(to_utf8(data, name, where=where), name)


def guess_encoding(data: bytes) -> str:
    """The encoding of a text, as Python calls it."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    if b"\x1b$" in data[:_SAMPLE] and data.isascii():
        return "iso-2022-jp"
    if _bad_share(data, "utf-8") == 0:
        return "utf-8"
    candidates = {name: _japanese_share(data, name) for name in ("cp932", "euc-jp")}
    best = max(candidates, key=lambda name: candidates[name])
    if candidates[best] > 0:
        if best == "euc-jp" and _reads_as_korean(data):
            return "cp949"
        return "gb18030" if best == "euc-jp" and _reads_as_chinese(data) else best
    if (abroad := _eastern(data[:_SAMPLE])) is not None:
        return abroad
    # Nearly all of it is UTF-8: a damaged file of it, which then fails at the place.
    text = data[:_SAMPLE].decode("utf-8", errors="ignore")
    if _bad_share(data, "utf-8") < _FEW_BAD and _KANA_OR_KANJI.search(text):
        return "utf-8"
    if (abroad := _western(data[:_SAMPLE])) is not None:
        return abroad
    return "cp1252" if re.search(rb"[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]", data) else "latin-1"


def _bad_share(data: bytes, codec: str) -> float:
    """Bytes that cannot be decoded, as a share of those that are not ASCII."""
    try:
        to_utf8(data, codec, where="")
    except InputError:
        sample = data[:_SAMPLE]
        high = sum(1 for byte in sample if byte > 127)
        return max(sample.decode(codec, errors="replace").count(_REPLACED) / max(high, 1), 1e-9)
    return 0.0


def _reads_as_chinese(data: bytes) -> bool:
    """Whether text that may be Japanese has no kana, and rare characters where Chinese has common
    ones: the first byte D0 to D7 is a second-level kanji in EUC-JP, a common word in GB 2312."""
    text = data[:_SAMPLE].decode("euc-jp", errors="ignore")
    kanji = [char for char in text if "\u4e00" <= char <= "\u9fff"]
    rare = sum(char.encode("euc-jp", errors="replace")[0] >= _SECOND_LEVEL for char in kanji)
    # The sample may end within a character.
    fits = data[:_SAMPLE].decode("gb18030", errors="replace").count(_REPLACED) <= 1
    return fits and not _KANA.search(text) and rare > _RARE * max(len(kanji), 1)


def _japanese_share(data: bytes, codec: str) -> float:
    """How much of the text that is not ASCII reads as Japanese; 0: it does not."""
    text = data[:_SAMPLE].decode(codec, errors="replace")
    high = sum(1 for char in text if ord(char) > 127)
    read = sum(len(run) for run in _KANA_OR_KANJI.findall(text)) + len(_ALONE.findall(text))
    odd = len(_HALF_WIDTH_KANA.findall(text)) if codec == "cp932" else 0
    bad = text.count(_REPLACED)
    if not high or bad / high > _FEW_BAD:
        return 0.0
    share = (read - odd / 2) / high
    return share if share > 0.4 else 0.0


def _reads_as_korean(data: bytes) -> bool:
    """Whether pairs that may be Japanese have no kana, and all lie where Korean has syllables."""
    rows = [pair[0] for pair in _PAIRS.findall(data[: 2**16])]
    inside = sum(_HANGUL[0] <= row <= _HANGUL[1] for row in rows)
    signs = sum(_SYMBOLS[0] <= row <= _SYMBOLS[1] for row in rows)
    kana = sum(row in _KANA_ROWS for row in rows)
    return not kana and inside >= _FEWEST and inside + signs >= _NEARLY_ALL * len(rows)


def _eastern(data: bytes) -> str | None:
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


def _western(data: bytes) -> str | None:
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
