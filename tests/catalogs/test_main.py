"""Tests of `python -m catalogs`."""

from __future__ import annotations

import gettext
import json
import subprocess
import sys
from pathlib import Path

import pytest
from catalogs.__main__ import main
from catalogs.po_files import catalog_path, read_catalog

from support.made_up_package import translated, write_package
from support.waiting import HUNG_SECONDS

CODE = "Message('a')\nMessage('open', context='a phase')\n"
SAID = {(None, "a"): "甲", ("a phase", "open"): "受付中"}


def catalog_of(source: Path, language: str = "ja") -> Path:
    return catalog_path(language, source / "locale")


def compiled(source: Path, language: str = "ja") -> gettext.NullTranslations:
    return gettext.translation("tokumei", source / "locale", languages=[language])


def test_update_tells_what_came_and_went_and_compiles(tmp_path: Path, capsys) -> None:
    source = write_package(tmp_path, f"{CODE}Message('gone')")
    translated(source, SAID)
    write_package(tmp_path, f"{CODE}Message('new')\nMessage('newer')")
    assert main(["update"], source) == 0
    assert capsys.readouterr().out == "ja: 2 new, 1 gone, 4 in all\n"
    assert compiled(source).gettext("a") == "甲"
    assert main(["update"], source) == 0
    assert capsys.readouterr().out == "ja: 0 new, 0 gone, 4 in all\n"


def test_compile_takes_catalogs_as_they_are(tmp_path: Path) -> None:
    source = write_package(tmp_path, CODE)
    path = translated(source, SAID)
    before = path.read_bytes()
    write_package(tmp_path, "Message('other')")
    assert main(["compile"], source) == 0
    assert compiled(source).pgettext("a phase", "open") == "受付中"
    assert path.read_bytes() == before


def test_check_fails_on_faults_and_says_so_if_there_are_none(tmp_path: Path, capsys) -> None:
    source = write_package(tmp_path, CODE)
    translated(source, SAID)
    assert main(["check"], source) == 0
    assert capsys.readouterr().out == "catalogs: nothing is missing, unused or doubtful\n"
    write_package(tmp_path, f"{CODE}Message('new')\nMessage(text)")
    assert main(["check"], source) == 1
    assert capsys.readouterr().out.splitlines() == [
        "small/room.py:4: the sentence of a Message is no literal",
        "ja: missing: 'new'",
    ]


def test_new_begins_a_language_once(tmp_path: Path, capsys) -> None:
    source = write_package(tmp_path, CODE)
    assert main(["new", "fr"], source) == 0
    path = catalog_of(source, "fr")
    assert str(path) in capsys.readouterr().out
    assert [entry.string for entry in read_catalog(path) if entry.id] == ["", ""]
    before = path.read_bytes()
    assert main(["new", "fr"], source) == 2
    assert "is there already" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("code", ["en", "../fr", "french"])
def test_new_takes_only_codes_of_languages(tmp_path: Path, capsys, code: str) -> None:
    source = write_package(tmp_path, CODE)
    assert main(["new", code], source) == 2
    assert f"'{code}' is no code of a language" in capsys.readouterr().err
    assert not [*(source / "locale").iterdir()]


def take(source: Path, entries: list[list[str | None]], *more: str) -> int:
    file = source.parent / "said.json"
    file.write_text(json.dumps(entries), encoding="utf-8")
    return main(["translate", str(file), *more], source)


def test_translate_fills_in_and_compiles(tmp_path: Path, capsys) -> None:
    source = write_package(tmp_path, f"{CODE}Message('row', plural='rows', count=2)")
    entries = [[None, "a", "甲"], ["a phase", "open", "受付中"], [None, "row", "行"]]
    assert take(source, entries) == 0
    assert capsys.readouterr().err == ""
    read = compiled(source)
    assert [read.gettext("a"), read.pgettext("a phase", "open")] == ["甲", "受付中"]
    assert [read.ngettext("row", "rows", n) for n in (1, 2)] == ["行", "行"]


def test_translate_takes_doubts_away_and_leaves_the_others(tmp_path: Path) -> None:
    source = write_package(tmp_path, CODE)
    path = translated(source, SAID)
    written = path.read_text("utf-8")
    path.write_text(written.replace('msgid "a"', '#, fuzzy\nmsgid "a"'), encoding="utf-8")
    assert read_catalog(path)["a"].fuzzy
    assert take(source, [[None, "a", "乙"]]) == 0
    entry = read_catalog(path)["a"]
    assert (entry.string, entry.fuzzy) == ("乙", False)
    assert compiled(source).pgettext("a phase", "open") == "受付中"


def test_translate_keeps_translations_of_what_went(tmp_path: Path) -> None:
    source = write_package(tmp_path, CODE)
    translated(source, SAID)
    write_package(tmp_path, "Message('a')")
    assert take(source, [[None, "a", "乙"]]) == 0
    write_package(tmp_path, CODE)
    assert take(source, []) == 0
    assert compiled(source).pgettext("a phase", "open") == "受付中"


def test_translate_tells_what_is_not_in_the_source(tmp_path: Path, capsys) -> None:
    source = write_package(tmp_path, CODE)
    assert take(source, [[None, "a", "甲"], [None, "b", "乙"], ["a form", "open", "開く"]]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "not in the source: 'b'",
        "not in the source: 'open' (a form)",
    ]
    assert compiled(source).gettext("a") == "甲"


def test_translate_into_another_language(tmp_path: Path) -> None:
    source = write_package(tmp_path, CODE)
    assert take(source, [[None, "a", "un"]], "--language", "fr") == 0
    assert compiled(source, "fr").gettext("a") == "un"
    assert not catalog_of(source).exists()


def test_pseudo_writes_a_language_into_a_folder(tmp_path: Path) -> None:
    source = write_package(tmp_path, CODE)
    assert main(["pseudo", str(tmp_path / "tried")], source) == 0
    read = gettext.translation("tokumei", tmp_path / "tried", languages=["qps"])
    assert read.pgettext("a phase", "open") == "⟦öpëñ⟧"
    assert not [*(source / "locale").iterdir()]


def test_it_is_a_program() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "catalogs", "--help"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=HUNG_SECONDS,
        check=True,
    )
    for word in ("update", "compile", "check", "new", "translate", "pseudo"):
        assert word in ran.stdout
