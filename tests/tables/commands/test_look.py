"""`tokumei look` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.strangers.tables import strangers
from support.strangers.writing import write_stranger
from tokumei.tables.profiling.profile_file import read_profile_file

KEYS = (
    "ok file format encoding separator sheet sheets header_row skipped rows people person columns "
    "exposure warnings command"
)


COLUMN_KEYS = (
    "name role type kind confidence reason_code reason_en reason_ja distinct missing missing_as "
    "shapes pii normalizations fate question"
)


@pytest.fixture
def gym(tokumei):
    """A messy member list in the current folder."""
    return write_stranger(strangers("first_half")[0], Path())


def test_the_document_has_the_shape_of_the_contract(tokumei, gym) -> None:
    found = tokumei("look", gym, "--json").json
    assert list(found) == KEYS.split()
    assert [*found["columns"][0]] == COLUMN_KEYS.split()
    assert (found["encoding"], found["separator"], found["rows"]) == ("cp932", ",", 180)
    assert found["person"]["column"] == "会員カードNo."


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_printed_fits_a_screen_and_speaks_the_language(tokumei, lang: str) -> None:
    for table in strangers("first_half"):
        ran = tokumei("look", write_stranger(table, Path()), "--lang", lang)
        assert ran.code == 0
        assert len(ran.out.splitlines()) <= 40
        assert ("次に:" in ran.out) == (lang == "ja")
        assert all(column.name in ran.out for column in table.columns[:1] if column.name)


def test_nothing_is_written_unless_asked(tokumei, gym) -> None:
    tokumei("look", gym)
    assert [path.name for path in Path().iterdir()] == [gym.name]
    tokumei("look", gym, "--save", "--out", "look.html")
    assert Path("look.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    side = json.loads(Path(f"{gym}.tokumei.json").read_text(encoding="utf-8"))
    assert side["columns"]["ご契約者名"]["role"] == "identifier"


def test_a_side_file_tells_that_all_rules_are_off(tokumei, gym) -> None:
    tokumei("look", gym, "--save", "--no-normalize", "all")
    side = read_profile_file(f"{gym}.tokumei.json")
    assert side["normalizations"]
    assert not any(side["normalizations"].values())


def test_a_side_file_is_read_back_and_checked(tokumei, gym) -> None:
    tokumei("look", gym, "--save", "--no-normalize", "thousands")
    path = Path(f"{gym}.tokumei.json")
    names = list(json.loads(path.read_text(encoding="utf-8"))["columns"])
    side = read_profile_file(path, names)
    assert side["person"] == "会員カードNo."
    assert side["normalizations"]["thousands"] is False
    with pytest.raises(Exception, match="missing 性"):
        read_profile_file(path, [name for name in names if name != "性"])
    path.write_text(path.read_text(encoding="utf-8").replace('"version": 1', '"version": 9'))
    with pytest.raises(Exception, match="version 9"):
        read_profile_file(path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(Exception, match="not a side file"):
        read_profile_file(path)


@pytest.mark.parametrize(
    "args",
    [
        ["look"],
        ["look", "none.csv"],
        ["look", "GYM", "--rows", "some"],
        ["look", "GYM", "--header-row", "0"],
        ["look", "GYM", "--out", "look.txt"],
        ["look", "GYM", "--no-normalize", "everything"],
        ["look", "GYM", "--sep", "::"],
    ],
)
def test_wrong_usage_ends_with_two(tokumei, gym, args: list[str]) -> None:
    ran = tokumei(*[str(gym) if arg == "GYM" else arg for arg in args])
    assert ran.code == 2
    assert ran.err.startswith("Error")


def test_options_override_what_would_be_found(tokumei) -> None:
    Path("a.csv").write_text("x;y\n1,5;2\n2,5;3\n")
    assert tokumei("look", "a.csv", "--sep", ",", "--header-row", "none", "--json").code in (0, 2)
    found = tokumei("look", "a.csv", "--header-row", "none", "--json").json
    assert found["header_row"] is None
    assert [column["name"] for column in found["columns"]] == ["column1", "column2"]
