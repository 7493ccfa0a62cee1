"""Tests of tokumei.pages.palette."""

from __future__ import annotations

from apps.contest.web.accessible_helpers import LIGHT
from tokumei.pages import palette


def test_the_colours_are_those_of_the_reports():
    shared = {"ink": palette.INK, "muted": palette.MUTED, "line": palette.GRID_COLOUR}
    assert {name: LIGHT[name] for name in shared} == shared
    assert LIGHT["accent"] == palette.ACCENT
