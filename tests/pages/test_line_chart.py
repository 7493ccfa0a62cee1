"""Tests of tokumei.pages.line_chart."""

import re

import polars as pl
import vl_convert

from tokumei.core.messages import Message
from tokumei.pages.line_chart import LineChart


def test_a_tick_is_labelled_with_its_own_number():
    lines = LineChart(Message("months"), Message("rate"), [1, 12], [Message.verbatim("a")])
    rows = [{"x": x, "y": 0.1, "low": 0.0, "high": 0.2, "en": "a", "ja": "a"} for x in (1, 12)]
    chart = lines.build(pl.DataFrame(rows), "en")
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    assert {"1", "12"} <= {*re.findall(r">(\d+)</text>", svg)}
