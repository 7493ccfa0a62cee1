"""Which encoding a stranger's text is in, and the same text in UTF-8.

A byte order mark tells; else UTF-8 if it is that exactly; else Japanese if it decodes so *and*
reads so, because text in Latin-1 often decodes as cp932 by accident; Chinese if it would be odd
Japanese; other scripts by how often their commonest letters occur (`encodings_abroad`); else
Latin-1.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from tokumei.core.errors import InputError
from tokumei.core.patterns import Pattern
from tokumei.files.containers import AnyPath
from tokumei.files.encodings import to_utf8
from tokumei.tables.look.encodings_abroad import eastern, reads_as_korean, western

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
        if best == "euc-jp" and reads_as_korean(data):
            return "cp949"
        return "gb18030" if best == "euc-jp" and _reads_as_chinese(data) else best
    if (abroad := eastern(data[:_SAMPLE])) is not None:
        return abroad
    # Nearly all of it is UTF-8: a damaged file of it, which then fails at the place.
    text = data[:_SAMPLE].decode("utf-8", errors="ignore")
    if _bad_share(data, "utf-8") < _FEW_BAD and _KANA_OR_KANJI.search(text):
        return "utf-8"
    if (abroad := western(data[:_SAMPLE])) is not None:
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
