"""Numbers, times, faults and drawings."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.contest.services.entry_views import (
    AttackResultView,
    MatrixCellView,
    MatrixView,
    PointView,
    ViolationView,
)
from tokumei.apps.contest.web.charts import attack_matrix_chart, shorten_name, utility_safety_chart
from tokumei.apps.contest.web.formatting import (
    field_value,
    figure,
    format_duration,
    found,
    heat_level,
    moment,
    parse_field_value,
    score,
    score_tables,
    size,
    zone_name,
)
from tokumei.apps.contest.web.pages.entries import PER_PAGE, paginate_violations
from tokumei.apps.contest.web.svg import PlotAxes, axis_ticks, svg_element
from tokumei.apps.http.headers import preferred_language
from tokumei.core.messages import Message, language_context

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)
WHEN = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)


@given(NUMBERS, NUMBERS)
def test_ticks_are_even_and_span_all_values(one, other):
    low, high = sorted((one, other))
    found = axis_ticks(low, high)
    slack = 1e-6 * (found[-1] - found[0])
    assert found[0] <= low + slack
    assert found[-1] >= high - slack
    assert 2 <= len(found) <= 13
    steps = [b - a for a, b in pairwise(found)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-6) for step in steps)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_points_lie_inside_their_axes(points):
    axes = PlotAxes.around([x for x, _ in points], [y for _, y in points], height=200)
    for x, y in points:
        assert -0.01 <= float(axes.x(x).removesuffix("%")) <= 100.01
        assert -0.01 <= axes.y(y) <= 200.01


def test_elements_escape_what_is_in_them():
    made = svg_element("text", "<b>", svg_element("title", '"&'), class_='a"b', x=None)
    assert made == '<text class="a&#34;b">&lt;b&gt;<title>&#34;&amp;</title></text>'


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


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (None, "–"),
        (AttackResultView(value=0.25), "0.2500"),
        (AttackResultView(low=0.05, high=0.1), "0.05–0.1"),
        (AttackResultView(until=WHEN), "later"),
    ],
)
def test_what_an_attack_found_is_told_as_far_as_it_may_be(told, shown):
    assert shown in str(found(told))


def test_scores_show_four_places_and_keep_all():
    assert score(0.123456789) == '<data value="0.123456789" title="0.123456789">0.1235</data>'
    assert "–" in score(math.nan)
    assert "12,345.7" in score(12345.678)
    assert [size(n) for n in (12, 1234, 20 << 20)] == ["12 B", "1.23 kB", "21 MB"]
    assert [heat_level(v) for v in (None, 0.0, 0.01, 0.1, 0.2, 0.5, 1.0)] == [
        None,
        0,
        1,
        2,
        3,
        4,
        5,
    ]


def test_figures_become_tables_whatever_a_judge_tells():
    tables = score_tables(
        {
            "utility": {"U1": 0.1},
            "safety": {"a": {"0.5": 0.2}, "b": {"1": 0.3}},
            "tests": {"a": {"all": {"tried": 9, "hits": 2}, "surest": {"tried": 3, "hits": 2}}},
            "reid_all": {"0.25": 0.1, "1": 0.2},
            "reid_pairs": {"0.25": 0.3, "1": 0.4},
            "rows_kept": 12,
            "none": {},
        }
    )
    shown = {table.title.en: table for table in tables}
    assert shown["Utility, measure by measure"].rows == [("U1", [0.1])]
    assert shown["Safety, attack by attack"].rows == [("a", [0.2, None]), ("b", [None, 0.3])]
    assert shown["Safety, attack by attack"].columns == ["α = 0.5", "α = 1"]
    tests = shown["Safety test"].rows
    assert tests == [("a · all answers", [9, 2]), ("a · most confident answers", [3, 2])]
    alike, alone = tables[3], tables[4]
    assert [row[1] for row in alike.rows][:2] == [[0.1, 0.2], [0.3, 0.4]]
    assert alone.rows == [("rows kept", [12])]
    assert [str(figure(v)) for v in (True, 1234, "x", None)][:3] == ["yes", "1,234", "x"]


FAULTS = [
    ViolationView(rule="ab"[n % 2], message=Message(f"at {n}", f"{n} で"), line=n, column=None)
    for n in range(1, 2 * PER_PAGE + 11)
]


@given(st.sampled_from(["", "a", "b", "c"]), st.text("1at ", max_size=3), st.integers(-3, 9))
def test_pages_of_faults_are_those_of_a_plain_search(rule, text, page):
    with language_context("en"):
        told = paginate_violations(FAULTS, rule=rule, text=text, page=page)
    plain = [
        fault
        for fault in FAULTS
        if (not rule or fault.rule == rule) and text in f"{fault.line}  at {fault.line}"
    ]
    assert told.found == len(plain)
    assert 1 <= told.page <= told.pages
    assert list(told.shown) == plain[(told.page - 1) * PER_PAGE :][:PER_PAGE]


@given(st.integers(-14 * 60, 14 * 60), st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)))
def test_a_time_comes_back_from_its_field(minutes, at):
    when = at.replace(second=0, microsecond=0, tzinfo=UTC)
    assert parse_field_value(field_value(when, minutes=minutes), minutes=minutes) == when


def test_times_are_written_as_people_write_them():
    assert moment(WHEN, minutes=540).en == "Mon 16 Nov 2026, 17:00 (UTC+9)"
    assert moment(WHEN, minutes=-210).ja == "2026年11月16日(月) 04:30 (UTC−3:30)"
    assert zone_name(0) == "UTC"
    spans = {"days": 1, "hours": 2}, {"hours": 1, "seconds": 61}, {"seconds": 75}, {"seconds": -5}
    told = [format_duration(timedelta(**span).total_seconds()) for span in spans]
    assert told[0] == Message("1 day 2 hours", "1 日 2 時間")
    assert told[1].en == "1 hour 1 minute"
    assert told[2].ja == "1 分 15 秒"
    assert told[3].en == "0 minutes 0 seconds"


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("fr, ja;q=0.8, en", "en"),
        ("en, ja", "en"),
        ("ja;q=x", "en"),
    ],
)
def test_the_browsers_language_is_heard(header, lang):
    assert preferred_language(header) == lang
