"""Detects a text's encoding, and converts it to UTF-8.

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
from tokumei.core.lazy_patterns import LazyPattern
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import AnyPath

_SAMPLE_BYTES = 2**18
_JAPANESE_RUN = LazyPattern(
    "[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uff01-\uff5e\u3000-\u3015]{2,}"
)
_LONE_JAPANESE_CHARS = LazyPattern(
    "(?<![^\x00-\x7f])[男女円歳才年月日人名回件個点無有他可否済〒○×・～](?![^\x00-\x7f])"
)
"""What stands alone between ASCII in Japanese tables: sexes, units, marks."""
_HALF_WIDTH_KANA = LazyPattern("[\uff61-\uff9f]")
_KANA = LazyPattern("[\u3041-\u3096\u30a1-\u30fa]")
_SECOND_LEVEL_KANJI_BYTE, _RARE_KANJI_SHARE = 0xD0, 0.1
_LENIENT_ENCODINGS = (
    *("latin-1", "iso-8859-1", "cp1252", "euc-jp", "iso-2022-jp"),
    *("gb18030", "gbk", "gb2312", "big5", "euc-kr", "cp949", "tis-620", "koi8-r", "cp1251"),
    *("cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp874", "iso-8859-2", "iso-8859-9"),
)
"""Encodings of which a byte that does not fit is shown as such, not refused."""
_MAX_BAD_SHARE = 0.02
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_REPLACEMENT_CHAR = "\ufffd"
_HIGH_BYTE_RUNS = re.compile(rb"[\x80-\xff]{3,}")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_BYTE_PAIRS = re.compile(rb"[\x81-\xfe][\x41-\xfe]")
_KANA_ROWS = (0xA4, 0xA5)
_HANGUL_BYTES = (0xB0, 0xC8)
_COMMON_HAN_BYTES = (0xB0, 0xD7)
_SYMBOL_BYTES = (0xA1, 0xA3)
_NEARLY_ALL_SHARE, _MOST_SHARE, _MIN_PAIRS = 0.98, 0.8, 20
_COMMON_LETTERS = {
    "cp1251": "оеаинтсрвл",
    "koi8-r": "оеаинтсрвл",
    "cp1253": "αοιετσνηυρςάίόέή",
    "cp1255": "יוהלאתרבמש",
    "cp1256": "اليمنرتبةدوه",
    "cp874": "านรอกเงมย่วลสตท้ัี",
}
"""The commonest letters of what is written in an encoding; in running text half of all or more."""
_MIN_LETTER_SHARE = 0.45
_POLISH_CZECH_BYTES = re.compile(
    rb"(?<=[A-Za-z])[\xb3\xb9\xbf\x9c\x9f\x9a\x9e\xe8\xf8\xec\xf9\xb6](?=[A-Za-z\s;,|])"
)
_NOT_LATIN_BYTES = re.compile(rb"(?<=[A-Za-z])[\xb3\xb9\xbf](?=[A-Za-z\s;,|])")
_TURKISH_BYTES = re.compile(rb"[\xd0\xdd\xde\xf0\xfd\xfe]")
_ICELANDIC_BYTES = re.compile(rb"[\xc6\xe6\xe1\xed\xf3\xfa]")
_MIN_ODD_SHARE = 0.3
_HUNGARIAN_BYTES = re.compile(rb"(?<=[A-Za-z])[\xf5\xfb]|[\xd5\xdb](?=[a-z])")
_NEVER_HUNGARIAN_BYTES = re.compile(rb"[\xe0\xe3-\xe8\xea\xee\xf0\xf1\xf2\xf4\xf8]")
"""Letters of French, Portuguese, Spanish, Estonian and Scandinavian beside which õ and û stand."""


@dataclass(frozen=True)
class DecodedText:
    """A text in UTF-8 without its mark, the encoding it came in, characters that were replaced."""

    data: bytes
    encoding: str
    replaced: int = 0


def decode(
    data: bytes, encoding: str = "auto", *, where: AnyPath, replace: bool = False
) -> DecodedText:
    """The text in UTF-8; bytes that its encoding does not know fail with line and offset.

    With `replace` each of them becomes one replacement character instead, and they are counted.
    """
    name = guess_encoding(data) if encoding == "auto" else encoding.lower().replace("_", "-")
    if replace and name != "utf-16":
        text = data.decode(name, errors="replace")
        original_count = data.decode(name, errors="ignore").count(_REPLACEMENT_CHAR)
        return DecodedText(text.encode(), name, text.count(_REPLACEMENT_CHAR) - original_count)
    if name in _LENIENT_ENCODINGS:
        return DecodedText(data.decode(name, errors="replace").encode(), name)
    return DecodedText(to_utf8(data, name, where=where), name)


def guess_encoding(data: bytes) -> str:
    """The encoding of a text, as Python calls it."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    if b"\x1b$" in data[:_SAMPLE_BYTES] and data.isascii():
        return "iso-2022-jp"
    if _bad_share(data, "utf-8") == 0:
        return "utf-8"
    candidates = {name: _japanese_share(data, name) for name in ("cp932", "euc-jp")}
    best_codec = max(candidates, key=lambda name: candidates[name])
    if candidates[best_codec] > 0:
        if best_codec == "euc-jp" and _reads_as_korean(data):
            return "cp949"
        return "gb18030" if best_codec == "euc-jp" and _reads_as_chinese(data) else best_codec
    if (foreign_encoding := _guess_korean_or_chinese(data[:_SAMPLE_BYTES])) is not None:
        return foreign_encoding
    # Nearly all of it is UTF-8: a damaged file of it, which then fails at the place.
    text = data[:_SAMPLE_BYTES].decode("utf-8", errors="ignore")
    if _bad_share(data, "utf-8") < _MAX_BAD_SHARE and _JAPANESE_RUN.search(text):
        return "utf-8"
    if (foreign_encoding := _guess_single_byte_encoding(data[:_SAMPLE_BYTES])) is not None:
        return foreign_encoding
    return "cp1252" if re.search(rb"[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]", data) else "latin-1"


def _bad_share(data: bytes, codec: str) -> float:
    """Bytes that cannot be decoded, as a share of those that are not ASCII."""
    try:
        to_utf8(data, codec, where="")
    except InputError:
        sample = data[:_SAMPLE_BYTES]
        high = sum(1 for byte in sample if byte > 127)
        return max(
            sample.decode(codec, errors="replace").count(_REPLACEMENT_CHAR) / max(high, 1), 1e-9
        )
    return 0.0


def _reads_as_chinese(data: bytes) -> bool:
    """Whether text that may be Japanese has no kana, and rare characters where Chinese has common
    ones: the first byte D0 to D7 is a second-level kanji in EUC-JP, a common word in GB 2312."""
    text = data[:_SAMPLE_BYTES].decode("euc-jp", errors="ignore")
    kanji = [char for char in text if "\u4e00" <= char <= "\u9fff"]
    rare_count = sum(
        char.encode("euc-jp", errors="replace")[0] >= _SECOND_LEVEL_KANJI_BYTE for char in kanji
    )
    # The sample may end within a character.
    is_valid_chinese = (
        data[:_SAMPLE_BYTES].decode("gb18030", errors="replace").count(_REPLACEMENT_CHAR) <= 1
    )
    return (
        is_valid_chinese
        and not _KANA.search(text)
        and rare_count > _RARE_KANJI_SHARE * max(len(kanji), 1)
    )


def _japanese_share(data: bytes, codec: str) -> float:
    """How much of the text that is not ASCII reads as Japanese; 0: it does not."""
    text = data[:_SAMPLE_BYTES].decode(codec, errors="replace")
    non_ascii = sum(1 for char in text if ord(char) > 127)
    japanese_chars = sum(len(run) for run in _JAPANESE_RUN.findall(text)) + len(
        _LONE_JAPANESE_CHARS.findall(text)
    )
    half_width = len(_HALF_WIDTH_KANA.findall(text)) if codec == "cp932" else 0
    replaced_count = text.count(_REPLACEMENT_CHAR)
    if not non_ascii or replaced_count / non_ascii > _MAX_BAD_SHARE:
        return 0.0
    share = (japanese_chars - half_width / 2) / non_ascii
    return share if share > 0.4 else 0.0


def _reads_as_korean(data: bytes) -> bool:
    """Whether pairs that may be Japanese have no kana, and all lie where Korean has syllables."""
    lead_bytes = [pair[0] for pair in _BYTE_PAIRS.findall(data[: 2**16])]
    hangul_count = sum(_HANGUL_BYTES[0] <= row <= _HANGUL_BYTES[1] for row in lead_bytes)
    symbol_count = sum(_SYMBOL_BYTES[0] <= row <= _SYMBOL_BYTES[1] for row in lead_bytes)
    kana_count = sum(row in _KANA_ROWS for row in lead_bytes)
    return (
        not kana_count
        and hangul_count >= _MIN_PAIRS
        and hangul_count + symbol_count >= _NEARLY_ALL_SHARE * len(lead_bytes)
    )


def _guess_korean_or_chinese(data: bytes) -> str | None:
    """Korean or Chinese, if most pairs of bytes are common syllables or words of it."""
    if not _has_high_byte_runs(data, at_least=0.5):
        return None
    for codec, base_codec, (low, high) in (
        ("cp949", "euc-kr", _HANGUL_BYTES),
        ("gb18030", "gb2312", _COMMON_HAN_BYTES),
    ):
        text = data.decode(codec, errors="replace")
        wide_chars = [char for char in text if ord(char) > 0x7F]
        lead_bytes = [char.encode(base_codec, errors="replace")[0] for char in wide_chars]
        if len(wide_chars) >= _MIN_PAIRS and sum(
            low <= row <= high for row in lead_bytes
        ) > _MOST_SHARE * len(wide_chars):
            return codec
    return None


def _guess_single_byte_encoding(data: bytes) -> str | None:
    """Cyrillic, Greek, Hebrew, Arabic, Thai by common letters; Central European, Turkish by odd."""
    if _has_high_byte_runs(data, at_least=0.6):
        shares = {codec: _common_letter_share(data, codec) for codec in _COMMON_LETTERS}
        best_codec = max(shares, key=lambda codec: shares[codec])
        return best_codec if shares[best_codec] >= _MIN_LETTER_SHARE else None
    high_count = len(_HIGH_BYTE.findall(data))
    if (
        len(_NOT_LATIN_BYTES.findall(data)) > 1
        and len(_POLISH_CZECH_BYTES.findall(data)) > _MIN_ODD_SHARE / 3 * high_count
    ):
        return "cp1250"
    if len(_HUNGARIAN_BYTES.findall(data)) > 1 and not _NEVER_HUNGARIAN_BYTES.search(data):
        return "cp1250"
    turkish_count, icelandic_count = (
        len(_TURKISH_BYTES.findall(data)),
        len(_ICELANDIC_BYTES.findall(data)),
    )
    return (
        "cp1254"
        if turkish_count > _MIN_ODD_SHARE * high_count and icelandic_count < turkish_count / 10
        else None
    )


def _has_high_byte_runs(data: bytes, *, at_least: float) -> bool:
    high = len(_HIGH_BYTE.findall(data))
    return high > 0 and sum(map(len, _HIGH_BYTE_RUNS.findall(data))) > at_least * high


def _common_letter_share(data: bytes, codec: str) -> float:
    """The commonest letters among all that is not ASCII; capitals count as they are written."""
    wide_chars = [char for char in data.decode(codec, errors="replace") if ord(char) > 0x7F]
    return sum(char in _COMMON_LETTERS[codec] for char in wide_chars) / max(len(wide_chars), 1)
