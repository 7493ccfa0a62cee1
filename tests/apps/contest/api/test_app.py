"""Tests of tokumei.apps.contest.api.app."""

from __future__ import annotations

import re
from pathlib import Path

from apps.contest.played import Played
from tokumei.apps.contest.api.app import make_api_app

PAGE = Path(__file__).parents[4] / "docs" / "contest-api.md"


ROUTE = re.compile(r"^\| `([A-Z]+ /\S*)` \|", re.MULTILINE)


def test_the_page_has_every_route(opened: Played) -> None:
    paths = make_api_app(opened.place).openapi()["paths"]
    told = {f"{method.upper()} {path}" for path, held in paths.items() for method in held}
    assert set(ROUTE.findall(PAGE.read_text(encoding="utf-8"))) == told


def test_every_route_is_described(opened: Played) -> None:
    document = make_api_app(opened.place).openapi()
    operations = [one for held in document["paths"].values() for one in held.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    for one in operations:
        assert one["summary"]
        assert {"401", "404", "422", "429", "500"} <= set(one["responses"])
        for status, response in one["responses"].items():
            assert status == "204" or response["content"], (one["operationId"], status)
