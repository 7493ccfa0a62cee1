"""Tests of catalogs.po_files."""

from __future__ import annotations

import gettext
import threading
from pathlib import Path

import pytest
from catalogs.po_files import (
    catalog_path,
    compile_catalog,
    first_text,
    is_language,
    list_catalogs,
    locked_catalogs,
    read_catalog,
    update_catalog,
    write_catalog,
)

from support.made_up_package import extract, translated, write_package
from support.waiting import join

PLURAL = "Message('{count} row', plural='{count} rows', count=2)"


def update(folder: Path, code: str, **how: bool) -> tuple[Path, tuple[int, int]]:
    """The Japanese catalog of the package with this code, and what came and went."""
    path = catalog_path("ja", folder / "small" / "locale")
    return path, update_catalog(path, extract(folder, code), **how)


def test_a_new_catalog_has_every_sentence_without_translation(tmp_path: Path) -> None:
    path, counts = update(tmp_path, f"Message('b')\nMessage('a', context='x')\n{PLURAL}")
    assert counts == (3, 0)
    assert path == tmp_path / "small" / "locale" / "ja" / "LC_MESSAGES" / "tokumei.po"
    assert list_catalogs(tmp_path / "small" / "locale") == [path]
    catalog = read_catalog(path)
    assert {(entry.context, entry.id): entry.string for entry in catalog if entry.id} == {
        (None, "b"): "",
        ("x", "a"): "",
        (None, ("{count} row", "{count} rows")): ("",),
    }
    assert not any(entry.fuzzy for entry in catalog)


def test_a_catalog_names_files_without_lines_in_the_order_of_its_sentences(tmp_path: Path) -> None:
    path, _ = update(tmp_path, "Message('5 % of b')\n\nMessage('a')")
    written = path.read_text("utf-8")
    assert written.count("#: small/room.py\n") == 2
    assert written.index('msgid "5 % of b"') < written.index('msgid "a"')
    assert "python-format" not in written


def test_an_update_keeps_translations_and_drops_what_is_unused(tmp_path: Path) -> None:
    source = write_package(tmp_path, "Message('a')\nMessage('a', context='x')\nMessage('gone')")
    said = {(None, "a"): "甲", ("x", "a"): "乙", (None, "gone"): "去"}
    path = translated(source, said)
    _, counts = update(tmp_path, "Message('a')\nMessage('a', context='x')\nMessage('new')")
    assert counts == (1, 1)
    catalog = read_catalog(path)
    found = {(entry.context, entry.id): entry.string for entry in catalog if entry.id}
    assert found == {(None, "a"): "甲", ("x", "a"): "乙", (None, "new"): ""}
    assert "去" not in path.read_text("utf-8")


def test_an_update_keeps_who_translates_doubts_and_comments(tmp_path: Path) -> None:
    path, _ = update(tmp_path, "Message('a')")
    catalog = read_catalog(path)
    catalog.last_translator, catalog.language_team = "Hanako <h@example.org>", "ja <t@example.org>"
    catalog["a"].string = "甲"
    catalog["a"].flags.add("fuzzy")
    catalog["a"].user_comments.append("see the glossary")
    write_catalog(path, catalog)
    before = path.read_bytes()
    update(tmp_path, "Message('a')")
    assert path.read_bytes() == before
    assert "see the glossary" in path.read_text("utf-8")
    assert read_catalog(path)["a"].fuzzy


def test_unused_translations_are_kept_for_when_they_come_back(tmp_path: Path) -> None:
    code = "Message('a')\nMessage('open', context='a phase')"
    path = translated(
        write_package(tmp_path, code), {(None, "a"): "甲", ("a phase", "open"): "受付中"}
    )
    update(tmp_path, "Message('b')", keep_unused=True)
    update(tmp_path, "Message('c')", keep_unused=True)
    assert [entry.id for entry in read_catalog(path) if entry.id] == ["c"]
    _, counts = update(tmp_path, code)
    assert counts == (2, 1)
    catalog = read_catalog(path)
    assert catalog["a"].string == "甲"
    assert catalog.get("open", "a phase").string == "受付中"


@pytest.mark.parametrize("language", ["ja", "de"])
def test_a_sentence_that_gets_a_plural_keeps_its_translation(tmp_path: Path, language: str) -> None:
    source = write_package(tmp_path, "Message('{count} row')")
    path = translated(source, {(None, "{count} row"): "{count} 行"}, language)
    update_catalog(path, extract(tmp_path, PLURAL))
    forms = {"ja": 1, "de": 2}[language]
    assert read_catalog(path)["{count} row"].string == ("{count} 行",) * forms
    update_catalog(path, extract(tmp_path, "Message('{count} row')"))
    assert read_catalog(path)["{count} row"].string == "{count} 行"


def test_compiled_catalogs_are_what_gettext_reads(tmp_path: Path) -> None:
    code = f"Message('a')\nMessage('a', context='x')\n{PLURAL}\nMessage('doubt')\nMessage('empty')"
    said = {
        (None, "a"): "甲",
        ("x", "a"): "乙",
        (None, "{count} row"): ("eine Zeile", "{count} Zeilen"),
        (None, "doubt"): "疑",
    }
    path = translated(write_package(tmp_path, code), said, "de")
    catalog = read_catalog(path)
    catalog["doubt"].flags.add("fuzzy")
    write_catalog(path, catalog)
    compile_catalog(path)
    read = gettext.translation("tokumei", path.parents[2], languages=["de"])
    assert [read.gettext("a"), read.pgettext("x", "a")] == ["甲", "乙"]
    counted = [read.ngettext("{count} row", "{count} rows", n) for n in (1, 2)]
    assert counted == ["eine Zeile", "{count} Zeilen"]
    assert [read.gettext("doubt"), read.gettext("empty")] == ["doubt", "empty"]


def test_a_catalog_is_compiled_to_where_one_likes(tmp_path: Path) -> None:
    path, _ = update(tmp_path, "Message('a')")
    target = tmp_path / "built" / "tokumei.mo"
    compile_catalog(path, target)
    assert target.exists()
    assert not path.with_suffix(".mo").exists()


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    path, _ = update(tmp_path, "Message('a')")
    compile_catalog(path)
    assert sorted(file.name for file in path.parent.iterdir()) == ["tokumei.mo", "tokumei.po"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    order = []

    def write() -> None:
        with locked_catalogs(tmp_path):
            order.append("second")

    with locked_catalogs(tmp_path):
        other = threading.Thread(target=write)
        other.start()
        order.append("first")
    join(other)
    assert order == ["first", "second"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        *[(code, True) for code in ("fr", "fil", "pt_BR", "zh_Hans", "zh_Hans_CN", "en_GB")],
        *[(code, False) for code in ("en", "", "../fr", "FR", "french", "pt-BR", "fr_")],
    ],
)
def test_codes_of_languages(code: str, expected: bool) -> None:
    assert is_language(code) is expected


def test_the_singular_of_a_message() -> None:
    assert [first_text(text) for text in ("a", ("a", "b"), ["a", "b"])] == ["a", "a", "a"]
