"""A made-up language "xx": other marks in numbers, another order of words."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGE = "xx"
CATALOG = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"

msgctxt "name of this language, in this language"
msgid "English"
msgstr "Xexe"

msgctxt "how a number is written"
msgid "1,234.5"
msgstr "1.234,5"

msgctxt "how a percentage is written"
msgid "{number} %"
msgstr "{number}%"

msgctxt "how a date is written"
msgid "%Y-%m-%d"
msgstr "%d.%m.%Y"

msgctxt "how a date with its time is written"
msgid "%Y-%m-%d %H:%M"
msgstr "%d.%m.%Y %H.%M"

msgctxt "units of large numbers on an axis"
msgid "1e9 B, 1e6 M, 1e3 k"
msgstr "1e6 xm, 1e2 xh"

msgctxt "between the items of a list"
msgid ", "
msgstr " / "

msgctxt "between the items of a list"
msgid "; "
msgstr " // "

msgctxt "before the last item of a list"
msgid " and "
msgstr " xu "

msgctxt "before the last item of a list"
msgid " or "
msgstr " xo "

msgctxt "two sentences, one behind the other"
msgid "{before} {after}"
msgstr "{before}  {after}"

msgid "{sentence}."
msgstr "{sentence}·"

msgid "the file {name} has no column {column}"
msgstr "{column} xex {name}"

msgid "{count} row"
msgid_plural "{count:,} rows"
msgstr[0] "xrow"
msgstr[1] "{count:,} xrows"

msgctxt "of a table"
msgid "{count} row"
msgid_plural "{count:,} rows"
msgstr[0] "xline"
msgstr[1] "{count:,} xlines"

msgid "open"
msgstr "xopen"

msgctxt "a phase"
msgid "open"
msgstr "xrunning"
"""


def write_language(folder: Path, language: str = LANGUAGE, catalog: str = CATALOG) -> Path:
    """Write the compiled catalog into a folder for TOKUMEI_LOCALES."""
    target = folder / language / "LC_MESSAGES" / "tokumei.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_mo(file, read_po(io.BytesIO(catalog.encode()), locale=language))
    return folder


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The code of the language, which is there as long as the test runs."""
    monkeypatch.setenv("TOKUMEI_LOCALES", str(write_language(tmp_path / "locales")))
    return LANGUAGE
