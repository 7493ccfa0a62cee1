"""Tests of tokumei.core.catalogs."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.made_up_language import LANGUAGE, write_language
from support.made_up_language import made_up as made_up
from tokumei.core.catalogs import available_languages, translate

ROWS = {"plural": "{count:,} rows"}


def test_english_and_japanese_come_with_the_package() -> None:
    assert available_languages() == ("en", "ja")


def test_a_folder_of_ones_own_adds_languages(made_up: str) -> None:
    assert available_languages() == ("en", "ja", made_up)


def test_english_is_first_whatever_is_there(tmp_path: Path, monkeypatch) -> None:
    for language in ("de", "en"):
        write_language(tmp_path, language)
    monkeypatch.setenv("TOKUMEI_LOCALES", str(tmp_path))
    assert available_languages() == ("en", "de", "ja")
    assert translate("open", "en") == "open"


def test_a_folder_that_is_not_there_adds_nothing(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TOKUMEI_LOCALES", str(tmp_path / "nowhere"))
    assert available_languages() == ("en", "ja")


def test_a_language_of_ones_own_comes_before_that_of_the_package(
    tmp_path: Path, monkeypatch
) -> None:
    assert translate("open", "ja", context="a phase") == translate("open", "ja", context="a phase")
    monkeypatch.setenv("TOKUMEI_LOCALES", str(write_language(tmp_path, "ja")))
    assert translate("open", "ja", context="a phase") == "xrunning"


def test_sentences_and_contexts(made_up: str) -> None:
    assert translate("open", made_up) == "xopen"
    assert translate("open", made_up, context="a phase") == "xrunning"
    assert translate("open", made_up, context="a door") == "open"
    assert translate("no such sentence", made_up) == "no such sentence"
    assert translate("", made_up) == ""


@pytest.mark.parametrize(
    ("count", "en", "xx"),
    [
        (0, "{count:,} rows", "{count:,} xrows"),
        (1, "{count} row", "xrow"),
        (2, "{count:,} rows", "{count:,} xrows"),
        (1.0, "{count} row", "xrow"),
        (1.5, "{count:,} rows", "{count:,} xrows"),
    ],
)
def test_plurals(made_up: str, count: float, en: str, xx: str) -> None:
    assert translate("{count} row", "en", count=count, **ROWS) == en
    assert translate("{count} row", made_up, count=count, **ROWS) == xx
    in_context = translate("{count} row", made_up, count=count, context="of a table", **ROWS)
    assert in_context == xx.replace("row", "line")
    untranslated = translate("{count} day", made_up, plural="{count} days", count=count)
    assert untranslated == ("{count} day" if count == 1 else "{count} days")


POLISH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"

msgid "{count} row"
msgid_plural "{count:,} rows"
msgstr[0] "{count} wiersz"
msgstr[1] "{count} wiersze"
msgstr[2] "{count} wierszy"
"""


def test_a_language_has_as_many_plurals_as_it_needs(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TOKUMEI_LOCALES", str(write_language(tmp_path, "pl", POLISH)))
    found = [
        translate("{count} row", "pl", count=count, **ROWS).removeprefix("{count} ")
        for count in (1, 2, 5, 22)
    ]
    assert found == ["wiersz", "wiersze", "wierszy", "wiersze"]


def test_a_language_without_catalog_is_english() -> None:
    assert translate("open", LANGUAGE) == "open"
    assert translate("{count} row", LANGUAGE, count=2, **ROWS) == "{count:,} rows"
