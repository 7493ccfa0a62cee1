"""Tests of tokumei.apps.studio.web.near_outcome."""

from __future__ import annotations

from typing import Any

import pytest

from apps.studio.store.project_scene import candidate
from tokumei.apps.studio.store.records import NearRecord
from tokumei.apps.studio.web.near_outcome import describe_near
from tokumei.apps.studio.web.verdict_figures import VerdictFigures

CANDIDATES: dict[str, Any] = {id: candidate(id, 0.1, 1.0, order) for order, id in enumerate("abc")}


def figures(verdict: str, found: float, kept: float) -> VerdictFigures:
    return VerdictFigures(verdict, "people", 40, kept, {"found": found, "certain": 0.0})


def near(wish: str, *ids: str) -> NearRecord:
    return {"near": "a", "wish": wish, "ids": list(ids), "ended": True}


@pytest.mark.parametrize(
    ("wish", "new", "best"),
    [
        ("safer", ("fits", 3.0, 0.5), "b"),
        ("safer", ("fits", 8.0, 0.9), None),
        ("more detail", ("fits", 8.0, 0.9), "b"),
        ("more detail", ("does-not-fit", 8.0, 0.9), None),
        ("more detail", ("fits", 3.0, 0.5), None),
        ("remedy", ("fits", 3.0, 0.5), "b"),
        ("remedy", ("does-not-fit", 3.0, 0.5), None),
        ("drop", ("fits", 9.0, 0.5), "b"),
    ],
)
def test_it_is_said_what_came_of_a_wish(
    wish: str, new: tuple[str, float, float], best: str | None
) -> None:
    outcome = describe_near(
        near(wish, "b"), CANDIDATES, {"a": figures("fits", 5.0, 0.8), "b": figures(*new)}
    )
    assert outcome is not None
    assert outcome.best == best
    sentence = outcome.sentence.show("en")
    assert ("Found" in sentence) == (best is not None)


def test_nothing_new_is_said_too() -> None:
    outcome = describe_near(near("safer"), CANDIDATES, {"a": figures("fits", 5.0, 0.8)})
    assert outcome is not None
    assert outcome.best is None
    assert "nothing was found" in outcome.sentence.show("en")
    assert describe_near(None, CANDIDATES, {}) is None
    assert describe_near(near("safer", "b"), CANDIDATES, {}) is None
