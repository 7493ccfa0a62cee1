"""Tests of tokumei.apps.papers.charts."""

import altair as alt
import pytest

from tokumei.apps.papers.charts import (
    COMPUTED_SIDE,
    PAPER_SIDE,
    bars_panel,
    lines_panel,
    merge_coinciding_points,
    place_tags,
    plain_points_panel,
    points_panel,
    tag_offsets,
)
from tokumei.core.messages import Message
from tokumei.pages.palette import bilingual_columns

X, Y = Message.verbatim("x"), Message.verbatim("y")
POINTS = {"DA": (0.0, 1.0), "DB": (0.0, 0.99), "DC": (0.0, 0.0), "DD": (1.0, 0.5)}


def test_points_at_one_place_share_a_name():
    (first, second) = merge_coinciding_points({"a": (0, 1), "b": (0, 1), "c": (1, 1)}, PAPER_SIDE)
    assert (first["tag"], second["tag"]) == ("a, b", "c")


def test_names_of_near_points_stand_apart():
    placed = place_tags(merge_coinciding_points(POINTS, COMPUTED_SIDE))
    offsets = {row["tag"]: row["offset"] for row in placed}
    assert offsets["DA"] != offsets["DB"]
    assert offsets["DD"] == -15
    assert tag_offsets(placed) == sorted({("computed", offset) for offset in offsets.values()})


@pytest.mark.parametrize("make", [points_panel, plain_points_panel])
def test_every_name_is_drawn_once(make):
    rows = merge_coinciding_points(POINTS, COMPUTED_SIDE)
    panel = make("figure1", Message.verbatim("f"), X, Y, rows)
    chart = panel.build(alt.Data(values=list(panel.rows)), "en").to_dict()
    marks = [layer["mark"]["type"] for layer in chart["layer"]]
    assert marks.count("text") == len(tag_offsets(list(panel.rows)))
    assert marks.count("point") == 1


def test_layers_that_would_be_empty_are_left_out():
    row = {
        "x": 1,
        **bilingual_columns(Message.verbatim("line")),
        "value": 2,
        "best": False,
        **bilingual_columns(COMPUTED_SIDE, "side_"),
    }
    panel = lines_panel("figure2", Message.verbatim("f"), X, Y, [row])
    assert len(panel.build(alt.Data(values=[row]), "en").to_dict()["layer"]) == 1
    both = [row, {**row, **bilingual_columns(PAPER_SIDE, "side_")}]
    panel = lines_panel("figure2", Message.verbatim("f"), X, Y, both)
    assert len(panel.build(alt.Data(values=both), "en").to_dict()["layer"]) == 2
    assert panel.note is not None


def test_bars_leave_room_for_their_figures():
    row = {
        **bilingual_columns(Message.verbatim("bar")),
        "value": 100,
        **bilingual_columns(COMPUTED_SIDE, "side_"),
    }
    chart = (
        bars_panel("figure1", Message.verbatim("f"), X, [row])
        .build(alt.Data(values=[row]), "en")
        .to_dict()
    )
    assert chart["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, 125]
