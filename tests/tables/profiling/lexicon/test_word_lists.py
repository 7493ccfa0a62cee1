"""The word lists are read as they are written."""

from __future__ import annotations

import re

from tokumei.tables.profiling.lexicon.word_lists import read_header_patterns, read_lists


def test_every_list_of_a_file_has_its_words():
    lists = read_lists("places.txt")
    assert list(lists) == ["prefectures", "states", "countries"]
    assert lists["prefectures"].split()[0] == "北海道"
    assert len(lists["prefectures"].split()) == 47
    assert "[" not in "".join(lists.values())


def test_lines_of_one_language_are_one_expression():
    patterns = read_header_patterns("personal_headers.txt")
    column_type, ja, en = patterns[0]
    assert column_type == "flag"
    assert re.search(ja, "メール配信停止")
    assert re.search(en, " is member ")
    assert not re.search(en, " isolated ")
    for _, ja, en in patterns:
        assert re.compile(ja).pattern
        assert re.compile(en).pattern
