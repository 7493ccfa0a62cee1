"""docs/papers-items.md says what `tokumei paper` computes, and names what exists."""

from __future__ import annotations

import re

import pytest

from docs.paper_items import END, PAGE, START, item_lines, page_with
from tokumei.apps.papers.published_values import PAPER_NUMBERS, read_published_paper


@pytest.mark.data
@pytest.mark.long
def test_the_page_is_what_is_computed(real_data):
    assert PAGE.read_text(encoding="utf-8") == page_with(item_lines(real_data))


def test_every_table_and_figure_stands_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    generated = text[text.index(START) : text.index(END)]
    for number in PAPER_NUMBERS:
        for name in read_published_paper(number).blocks:
            assert f"`--table {name}`" in generated, (number, name)


def test_tables_named_by_the_text_s_items_exist():
    text = PAGE.read_text(encoding="utf-8")
    for line in text[text.index(END) :].splitlines():
        number = line.strip("| ")[:3]
        if number in PAPER_NUMBERS:
            names = [
                name for part in re.findall(r"--table (\S+?)`", line) for name in part.split(",")
            ]
            assert set(names) <= set(read_published_paper(number).blocks), line
