"""Tests of tokumei.apps.contest.web.charts."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from apps.contest.web.figures_and_charts_helpers import WHEN
from tokumei.apps.contest.services.entry_views import (
    AttackResultView,
    MatrixCellView,
    MatrixView,
    PointView,
)
from tokumei.apps.contest.web.charts import attack_matrix_chart, shorten_name, utility_safety_chart


@given(st.text(max_size=60))
def test_names_are_cut_to_the_room_they_have(name):
    short = shorten_name(name, 10)
    assert short == name or (short.endswith("…") and name.startswith(short[:-1]))


def test_the_plane_shows_every_release_and_the_ranks_of_published_ones():
    points = [
        PointView(team="A", utility=0.2, safety=0.3, mine=True, published=True, entry="x"),
        PointView(team="A", utility=0.5, safety=0.1, mine=True, published=False, entry="y"),
        PointView(team="<B>", utility=0.4, safety=0.2, mine=False, published=True, entry=None),
    ]
    drawn = utility_safety_chart(points, {"A": 2, "<B>": 1})
    assert drawn is not None
    assert drawn.count("<circle") == 3
    assert sorted(re.findall(r'class="strong">(\d)<', drawn)) == ["1", "2"]
    assert "&lt;B&gt;: U 0.4" in drawn
    assert utility_safety_chart([], {}) is None


def test_a_rank_hides_no_words():
    """The worst release, in the upper left corner, has its number below the axis's title."""
    worst = PointView(team="A", utility=0.02, safety=1.0, mine=True, published=True, entry="x")
    other = PointView(team="B", utility=0.4, safety=0.5, mine=False, published=True, entry=None)
    drawn = utility_safety_chart([worst, other], {"A": 2, "B": 1})
    (height,) = re.findall(r'y="(-?[\d.]+)"[^>]*class="strong">2<', drawn or "")
    assert float(height) > 0


def test_the_heat_map_has_a_cell_for_each_pair_and_a_figure_where_one_is_known():
    cell = MatrixCellView(attempts=2, found=AttackResultView(value=0.7))
    band = MatrixCellView(attempts=1, found=AttackResultView(low=0.05, high=0.1))
    later = MatrixCellView(attempts=1, found=AttackResultView(until=WHEN))
    rows = ((None, cell, band), (later, None, None))
    made = attack_matrix_chart(
        MatrixView(
            attackers=("A", "B"), defenders=("A", "B", "C"), cells=rows, hidden=None, until=None
        )
    )
    assert made is not None
    assert made.count("<rect") == 6
    assert made.count("heat-own") == 2
    assert re.findall(r"middle\">([^<]+)<", made) == [".700", ".050"]
