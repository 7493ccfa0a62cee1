"""Tests of catalogs.checks."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogs.checks import check_catalogs
from catalogs.extraction import extract_messages
from catalogs.po_files import read_catalog, write_catalog

from support.made_up_package import Translations, extract, translated, write_package


def faults_of(source: Path) -> list[str]:
    return check_catalogs(extract_messages(source), source / "locale")


def faults_with(
    folder: Path, code: str, translations: Translations, language: str = "ja"
) -> list[str]:
    source = write_package(folder, code)
    translated(source, translations, language)
    return faults_of(source)


def test_the_catalogs_of_the_project_are_complete() -> None:
    faults = check_catalogs(extract_messages())
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("Message('{n} rows', m=1)", "small/room.py:1: '{n} rows' has placeholders n, values m"),
        ("Message(f'{n} rows')", "small/room.py:1: the sentence of a Message is no literal"),
        ("Message('行がありません')", "small/room.py: Japanese in the code: '行がありません'"),
        ("Message('カナ')", "small/room.py: Japanese in the code: 'カナ'"),
        (
            "Message('row', plural='行', count=2)",
            "small/room.py: Japanese in the code: '行'",
        ),
        (
            "Message('rows of ')",
            "small/room.py: part of a sentence (blank at its end): 'rows of '",
        ),
        (
            "Message(' of the file')",
            "small/room.py: part of a sentence (blank at its end): ' of the file'",
        ),
        (
            "Message('row', plural='rows\\n', count=2)",
            "small/room.py: part of a sentence (blank at its end): 'rows\\n'",
        ),
    ],
)
def test_faults_of_the_source_are_told(tmp_path: Path, code: str, fault: str) -> None:
    source = write_package(tmp_path, code)
    assert check_catalogs(extract(tmp_path, code), source / "locale") == [fault]


def test_faults_of_templates_are_told(tmp_path: Path) -> None:
    source = write_package(tmp_path, page="{{ _('行') }}{{ _('rows of ') }}")
    place = "small/templates/page.html"
    assert faults_of(source) == [
        f"{place}: Japanese in the code: '行'",
        f"{place}: part of a sentence (blank at its end): 'rows of '",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "Message(' (in brackets)')",
        "Message(', ', context='between the items of a list')",
        "Message(' and ', context='before the last item of a list')",
    ],
)
def test_separators_and_brackets_may_begin_with_a_blank(tmp_path: Path, code: str) -> None:
    assert faults_of(write_package(tmp_path, code)) == []


@pytest.mark.parametrize(
    ("code", "translations"),
    [
        ("Message('no rows')", {(None, "no rows"): "行なし"}),
        ("Message('open', context='a phase')", {("a phase", "open"): "受付中"}),
        ("Message('{n} of {all}', n=1, all=2)", {(None, "{n} of {all}"): "{all} 中 {n}"}),
        ("Message('{n} rows')", {(None, "{n} rows"): "{n} 行"}),
        (
            "Message('{count} row', plural='{count} rows', count=2)",
            {(None, "{count} row"): ("{count:,} 行",)},
        ),
        (
            "Message('row of {a}', plural='{count} rows of {a}', a=1, count=2)",
            {(None, "row of {a}"): ("{a} の行",)},
        ),
    ],
)
def test_a_right_translation_has_no_fault(
    tmp_path: Path, code: str, translations: Translations
) -> None:
    assert faults_with(tmp_path, code, translations) == []


PLURAL = "Message('{count} row', plural='{count} rows of {a}', count=2, a=1)"


@pytest.mark.parametrize(
    ("code", "translations", "fault"),
    [
        ("Message('no rows')", {}, "no translation: 'no rows'"),
        (
            "Message('{n} of {all}', n=1, all=2)",
            {(None, "{n} of {all}"): "{n} 行"},
            "placeholders differ in '{n} 行': '{n} of {all}'",
        ),
        (
            "Message('{n} rows', n=1)",
            {(None, "{n} rows"): "{m} の {n} 行"},
            "placeholders differ in '{m} の {n} 行': '{n} rows'",
        ),
        (
            "Message('{n} rows', n=1)",
            {(None, "{n} rows"): "{n 行"},
            "placeholders differ in '{n 行': '{n} rows'",
        ),
        (
            "Message('{n} rows', n=1)",
            {(None, "{n} rows"): "{} 行 {n}"},
            "placeholders differ in '{} 行 {n}': '{n} rows'",
        ),
        (
            "ROWS = Message('{n} rows')\nROWS.fill(n=3)",
            {(None, "{n} rows"): "{m} 行"},
            "placeholders differ in '{m} 行': '{n} rows'",
        ),
        (
            "Message('no rows')",
            {(None, "no rows"): "{n} 行"},
            "placeholders differ in '{n} 行': 'no rows'",
        ),
        (
            PLURAL,
            {(None, "{count} row"): ("{m} 行",)},
            "placeholders differ in '{m} 行': '{count} row'",
        ),
        (
            "Message('{count} row', plural='{count} rows', count=2)",
            {(None, "{count} row"): ("",)},
            "no translation: '{count} row'",
        ),
        (
            "Message('open', context='a phase')",
            {(None, "open"): "開く"},
            "no translation: 'open'",
        ),
    ],
)
def test_faults_of_a_translation_are_told(
    tmp_path: Path, code: str, translations: Translations, fault: str
) -> None:
    assert faults_with(tmp_path, code, translations) == [f"ja: {fault}"]


def test_every_form_of_a_plural_is_looked_at(tmp_path: Path) -> None:
    said = {(None, "{count} row"): ("{count} Zeile", "{count} Zeilen von {a}, {b}")}
    told = ["de: placeholders differ in '{count} Zeilen von {a}, {b}': '{count} row'"]
    assert faults_with(tmp_path, PLURAL, said, "de") == told
    said = {(None, "{count} row"): ("{count} Zeile", "")}
    assert faults_with(tmp_path, PLURAL, said, "de") == ["de: no translation: '{count} row'"]


def test_doubtful_translations_are_told(tmp_path: Path) -> None:
    source = write_package(tmp_path, "Message('no rows')")
    path = translated(source, {(None, "no rows"): "行なし"})
    catalog = read_catalog(path)
    catalog["no rows"].flags.add("fuzzy")
    write_catalog(path, catalog)
    assert faults_of(source) == ["ja: marked as doubtful (fuzzy): 'no rows'"]


def test_what_came_and_went_since_the_catalog_was_made_is_told(tmp_path: Path) -> None:
    source = write_package(tmp_path, "Message('no rows')")
    translated(source, {(None, "no rows"): "行なし"})
    write_package(tmp_path, "Message('no columns')")
    assert faults_of(source) == ["ja: missing: 'no columns'", "ja: not in the source: 'no rows'"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Message('row')", "Message('row', plural='rows', count=2)"),
        ("Message('row', plural='rows', count=2)", "Message('row')"),
        ("Message('row', plural='rows', count=2)", "Message('row', plural='lines', count=2)"),
    ],
)
def test_a_plural_that_came_or_went_is_told(tmp_path: Path, before: str, after: str) -> None:
    source = write_package(tmp_path, before)
    said = ("行",) if "plural" in before else "行"
    translated(source, {(None, "row"): said})
    assert faults_of(source) == []
    write_package(tmp_path, after)
    assert faults_of(source) == ["ja: another plural in the source: 'row'"]


def test_every_language_is_looked_at(tmp_path: Path) -> None:
    source = write_package(tmp_path, "Message('no rows')")
    for language in ("ja", "de"):
        translated(source, {}, language)
    assert faults_of(source) == ["de: no translation: 'no rows'", "ja: no translation: 'no rows'"]
