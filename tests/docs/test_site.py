"""The site has every page, the Japanese pages follow the English ones, and every word stands once.

`make docs` builds the site itself, where a broken link is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
JAPANESE = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.ja.md"))
TUTORIALS = sorted(page.name for page in DOCS.glob("tutorial-*.ja.md"))
COMMAND = re.compile(r"^\$ tokumei (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml without importing what it names."""


Loader.add_multi_constructor("tag:yaml.org,2002:python/name:", lambda *_: None)


def settings() -> dict[str, object]:
    return yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)


def pages_of(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for part in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else ():
        yield from pages_of(part)


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def english(name: str) -> str:
    return name.replace(".ja.md", ".md")


def test_the_navigation_has_every_page_once() -> None:
    listed = sorted(pages_of(settings()["nav"]))
    pages = (page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    assert listed == sorted(page for page in pages if not page.startswith("decisions/0"))


def test_the_decisions_are_all_listed() -> None:
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", text_of("decisions/index.md"))
    assert listed == sorted(page.name for page in DOCS.glob("decisions/0*.md"))


def test_the_site_asks_nobody_for_fonts() -> None:
    assert settings()["theme"]["font"] is False
    assert settings()["strict"] is True


@pytest.mark.parametrize("name", JAPANESE)
def test_a_page_and_its_translation_lead_to_each_other(name: str) -> None:
    assert f"]({Path(english(name)).name})" in text_of(name)
    assert f"]({Path(name).name})" in text_of(english(name))


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_runs_the_same_commands_in_both_languages(name: str) -> None:
    assert commands(name) == commands(english(name))


def commands(name: str) -> list[str]:
    """Every command with its options; files and columns are named in the language of the page."""
    text = text_of(name).replace("--lang ja ", "").replace("--messy ja", "--messy en")
    lines = [line.split() for line in COMMAND.findall(text)]
    return [
        " ".join([line[0], *(word for word in line[1:] if re.fullmatch(r"-{0,2}[a-z-]+", word))])
        for line in lines
    ]


@pytest.mark.parametrize("name", JAPANESE)
def test_a_claim_is_no_promise(name: str) -> None:
    assert "約束" not in text_of(name)


def test_the_glossaries_have_every_word_once_and_agree() -> None:
    pairs = {name: words(name) for name in ("glossary.md", "glossary.ja.md")}
    for name, found in pairs.items():
        assert len({first for first, _ in found}) == len(found), name
    there = {plain(second) for _, second in pairs["glossary.ja.md"]}
    assert there == {plain(first) for first, _ in pairs["glossary.md"]}


def words(name: str) -> list[tuple[str, str]]:
    rows = [match[:2] for match in ROW.findall(text_of(name))]
    return [row for row in rows if row[0] not in {"Word", "用語"} and set(row[0]) != {"-"}]


def plain(word: str) -> str:
    """A word without the letters that stand for it: `original, X` is `original`."""
    return re.sub(r", (X|QI|SA|T_α)$", "", word)
