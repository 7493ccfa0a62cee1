"""Tests of tokumei.apps.contest.web.formatting."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from apps.contest.web.figures_and_charts_helpers import NUMBERS, WHEN
from tokumei.apps.contest.web.formatting import (
    field_value,
    figure,
    format_duration,
    heat_level,
    moment,
    parse_field_value,
    score,
    score_tables,
    size,
    zone_name,
)
from tokumei.core.messages import Message
from tokumei.pages.svg import axis_ticks


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
    shown = {table.title.show("en"): table for table in tables}
    assert shown["Utility, measure by measure"].rows == [("U1", [0.1])]
    assert shown["Safety, attack by attack"].rows == [("a", [0.2, None]), ("b", [None, 0.3])]
    assert shown["Safety, attack by attack"].columns == ["α = 0.5", "α = 1"]
    tests = shown["Safety test"].rows
    assert tests == [("a · all answers", [9, 2]), ("a · most confident answers", [3, 2])]
    alike, alone = tables[3], tables[4]
    assert [row[1] for row in alike.rows][:2] == [[0.1, 0.2], [0.3, 0.4]]
    assert alone.rows == [("rows kept", [12])]
    assert [str(figure(v)) for v in (True, 1234, "x", None)][:3] == ["yes", "1,234", "x"]


@given(st.integers(-14 * 60, 14 * 60), st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)))
def test_a_time_comes_back_from_its_field(minutes, at):
    when = at.replace(second=0, microsecond=0, tzinfo=UTC)
    assert parse_field_value(field_value(when, minutes=minutes), minutes=minutes) == when


def test_times_are_written_as_people_write_them():
    assert moment(WHEN, minutes=540).show("en") == "Mon 16 Nov 2026, 17:00 (UTC+9)"
    assert moment(WHEN, minutes=-210).show("ja") == "2026年11月16日(月) 04:30 (UTC−3:30)"
    assert zone_name(0) == "UTC"
    spans = {"days": 1, "hours": 2}, {"hours": 1, "seconds": 61}, {"seconds": 75}, {"seconds": -5}
    told = [format_duration(timedelta(**span).total_seconds()) for span in spans]
    assert told[0] == Message.of_texts({"en": "1 day 2 hours", "ja": "1 日 2 時間"})
    assert told[1].show("en") == "1 hour 1 minute"
    assert told[2].show("ja") == "1 分 15 秒"
    assert told[3].show("en") == "0 minutes 0 seconds"
