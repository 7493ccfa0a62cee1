import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given

from support.hierarchy_trees import trees
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.report.hierarchy_tree import hierarchy_tree_page, hierarchy_tree_svg

SVG = "{http://www.w3.org/2000/svg}"


def boxes(svg):
    """Every node's title with its rectangle: left, top, width, height."""
    found = []
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        sides = [float(rect.get(side)) for side in ("x", "y", "width", "height")]
        found.append((group.find(f"{SVG}title").text, sides))
    return found


def test_all_occupations_are_drawn():
    drawn = [
        title for title, _ in boxes(hierarchy_tree_svg(builtin_hierarchy("occupation"), lang="ja"))
    ]
    assert len(drawn) == 74 + 12 + 1
    assert "生産工程従事者" in drawn


@given(trees())
def test_boxes_tile_every_column_and_lie_beside_their_parents(rows):
    made = Hierarchy.of("x", rows)
    found = boxes(hierarchy_tree_svg(made, np.ones(len(rows), dtype=int)))
    assert len(found) == sum(len(names) for names in made.names)
    for left in {sides[0] for _, sides in found}:
        column = sorted(sides for _, sides in found if sides[0] == left)
        for (_, top, _, height), (_, below, _, _) in itertools.pairwise(column):
            assert below == top + height
        assert sum(height for *_, height in column) == 20 * len(rows)


def test_rows_are_shown_and_shade_the_boxes():
    sex = Hierarchy.of("sex", [["m", "*"], ["f", "*"]])
    svg = hierarchy_tree_svg(sex, np.array([1234, 0]))
    assert "m · 1,234" in svg
    fills = dict(re.findall(r"<title>(\w+) ·[^<]*</title><rect [^>]*fill=\"(#\w+)\"", svg))
    assert fills["m"] != fills["f"]


@pytest.mark.parametrize(("lang", "word"), [("en", "+ 364 more"), ("ja", "ほか 364 個")])
def test_what_is_too_much_is_counted(lang, word):
    svg = hierarchy_tree_svg(builtin_hierarchy("birth-date"), lang=lang, most=60)
    assert word in [title for title, _ in boxes(svg)]
    assert len(boxes(svg)) < 150


def test_names_cannot_break_out_of_the_picture():
    evil = Hierarchy.of('<b>"', [["</title><script>", "a&b\x01", "*"], ["", "a&b\x01", "*"]])
    page = hierarchy_tree_page(evil, lang="en")
    assert "<script" not in page
    assert "(empty)" in page
    ElementTree.fromstring(hierarchy_tree_svg(evil))


def test_the_page_needs_nothing_else():
    page = hierarchy_tree_page(builtin_hierarchy("prefecture"), lang="ja")
    assert '<html lang="ja">' in page
    assert "default-src 'none'" in page
    assert not re.search(r"(src|href)=", page)
    assert page == hierarchy_tree_page(builtin_hierarchy("prefecture"), lang="ja")
