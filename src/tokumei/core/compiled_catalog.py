"""Reads a compiled message catalog (`.mo`), as `gettext` does, but decodes only what is asked for.

    catalog = CompiledCatalog.read(path)
    catalog.find("no rows")                        # "行がありません"; None: not translated
    catalog.find("{n} row", plural="{n} rows", number=3)

A command shows a few of some thousand sentences; to decode them all took longer than to run it.
"""

from __future__ import annotations

import errno
import re
import struct
from collections.abc import Callable
from pathlib import Path

_LITTLE_ENDIAN, _BIG_ENDIAN = b"\xde\x12\x04\x95", b"\x95\x04\x12\xde"
_CONTEXT_END, _FORM_END = "\x04", "\x00"
_PLURAL_RULE = re.compile(r"plural\s*=\s*([^;\n]+)")


class CompiledCatalog:
    """The sentences of a catalog by context and English."""

    def __init__(self, data: bytes) -> None:
        order = {_LITTLE_ENDIAN: "<", _BIG_ENDIAN: ">"}[data[:4]]
        _, count, ids, translations = struct.unpack_from(f"{order}4I", data, 4)
        places = struct.unpack_from(f"{order}{2 * count}I", data, ids)
        self._data = data
        self._places = struct.unpack_from(f"{order}{2 * count}I", data, translations)
        self._numbers = {
            data[start : start + size]: number
            for number, (size, start) in enumerate(zip(places[::2], places[1::2], strict=True))
        }
        self._choose_form = self._plural_rule()

    @classmethod
    def read(cls, path: Path) -> CompiledCatalog:
        """The catalog in a file; an OSError if it is none."""
        try:
            return cls(path.read_bytes())
        except (KeyError, struct.error):
            raise OSError(errno.EINVAL, "not a compiled message catalog", str(path)) from None

    def find(
        self,
        message_id: str,
        *,
        context: str | None = None,
        plural: str | None = None,
        number: int = 1,
    ) -> str | None:
        """The translation; of a message with a plural, the form for this number."""
        key = message_id if context is None else f"{context}{_CONTEXT_END}{message_id}"
        if plural is None:
            return self._text(key)
        forms = self._text(f"{key}{_FORM_END}{plural}")
        return None if forms is None else forms.split(_FORM_END)[self._choose_form(number)]

    def _text(self, key: str) -> str | None:
        number = self._numbers.get(key.encode())
        if number is None:
            return None
        size, start = self._places[2 * number : 2 * number + 2]
        return self._data[start : start + size].decode()

    def _plural_rule(self) -> Callable[[int], int]:
        rule = _PLURAL_RULE.search(self._text("") or "")
        if rule and rule[1].strip() == "0":
            return lambda _: 0
        import gettext

        return gettext.c2py(rule[1] if rule else "n != 1")
