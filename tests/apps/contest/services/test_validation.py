from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.contest.services.validation import (
    MOST_FILE_NAME,
    MOST_NAME,
    clean_file_name,
    clean_line,
    clean_name,
    look_alike_key,
)
from tokumei.apps.http.errors import UnprocessableContent


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Team A", "ｔｅａｍ　ａ"),
        ("Alice", "AIice"),
        ("Alice", "Аlice"),  # Cyrillic А
        ("team 10", "Team-1O"),
        ("Cafe", "café"),
        ("Straße", "STRASSE"),
        ("ロボット", "口ボッ卜"),  # kanji for ロ and ト
        ("ビール", "ビ一ル"),
    ],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert clean_name(one).key == clean_name(other).key


@pytest.mark.parametrize(("one", "other"), [("かき", "がき"), ("Aoi", "Aoki"), ("蜂", "蟻")])
def test_names_that_differ_have_different_keys(one: str, other: str) -> None:
    assert clean_name(one).key != clean_name(other).key


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "!?—…",
        "a\u200bb",  # zero width
        "abc\u202egnp",  # right to left
        "a\x00b",
        "a\x1b[2Jb",
        "\ud800x",
        "\u3164",  # an empty letter
        "a" + "\u0301" * 5,
        "\u2066x",
        "x" * (MOST_NAME + 1),
        "ﷺ" * 40,  # long when written out
    ],
)
def test_names_that_deceive_are_refused(name: str) -> None:
    with pytest.raises(UnprocessableContent):
        clean_name(name)


@given(st.text(max_size=60))
def test_a_name_is_shown_as_it_stays(text: str) -> None:
    try:
        name = clean_name(text)
    except UnprocessableContent:
        return
    assert clean_name(name.shown) == name
    assert 0 < len(name.shown) <= MOST_NAME
    assert 0 < len(name.key) <= 64
    assert look_alike_key(name.key) == name.key
    assert not {unicodedata.category(letter)[0] for letter in name.shown} & {"C"}


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("A.csv", "A.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\work\\A.csv", "A.csv"),
        ("/", "upload"),
        ("..", "upload"),
        (".htaccess", "htaccess"),
        ("a\x00b\r\n.csv", "ab.csv"),
        ("\u202ecsv.exe", "csv.exe"),
        ("匿名.csv.gz", "匿名.csv.gz"),
    ],
)
def test_only_the_last_part_of_a_file_name_is_kept(given_name: str, shown: str) -> None:
    assert clean_file_name(given_name) == shown


@given(st.text(max_size=300))
def test_a_file_name_is_always_fit_to_be_shown(text: str) -> None:
    shown = clean_file_name(text)
    assert 0 < len(shown) <= MOST_FILE_NAME
    assert not set(shown) & set("/\\\x00\n")
    shown.encode()


@given(st.text(max_size=60))
def test_a_line_has_no_hidden_characters(text: str) -> None:
    try:
        line = clean_line(text, 50)
    except UnprocessableContent:
        assert len(text) > 50
        return
    assert len(line) <= 50
    assert "\n" not in line
    line.encode()
