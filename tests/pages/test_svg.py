"""Tests of tokumei.pages.svg."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.contest.web.figures_and_charts_helpers import NUMBERS
from tokumei.pages.svg import PlotAxes, svg_element


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_points_lie_inside_their_axes(points):
    axes = PlotAxes.around([x for x, _ in points], [y for _, y in points], height=200)
    for x, y in points:
        assert -0.01 <= float(axes.x(x).removesuffix("%")) <= 100.01
        assert -0.01 <= axes.y(y) <= 200.01


def test_elements_escape_what_is_in_them():
    made = svg_element("text", "<b>", svg_element("title", '"&'), class_="a'\"b", x=None)
    assert made == '<text class="a&#39;&#34;b">&lt;b&gt;<title>&#34;&amp;</title></text>'
    assert svg_element("g", id='a"><b') == "<g id='a\"&gt;&lt;b'/>"
    assert svg_element("text", "a\x01b", x=0.5, y=96.0) == '<text x="0.5" y="96">a b</text>'
