"""Tests of tokumei.apps.studio.web.verdict_figures."""

from __future__ import annotations

import random
from typing import Any

from apps.studio.store.project_scene import candidate
from tokumei.apps.studio.web.verdict_figures import VerdictFigures, preselect, unbeaten


def figures(verdict: str, found: float, kept: float, certain: float = 0.0) -> VerdictFigures:
    return VerdictFigures(verdict, "people", 400, kept, {"found": found, "certain": certain})


def preferred(entries: dict[str, VerdictFigures]) -> str:
    candidates: Any = [candidate(id, 0.1, 1.0, order) for order, id in enumerate(entries)]
    chosen = preselect(candidates, entries)
    assert chosen is not None
    return chosen["id"]


def test_a_fitting_candidate_that_keeps_most_is_preselected() -> None:
    entries = {
        "everybody": figures("does-not-fit", 385.0, 0.99, 385.0),
        "coarse": figures("fits", 18.0, 0.4),
        "fine": figures("fits", 20.0, 0.6),
        "doubtful": figures("unknown", 1.0, 0.9),
    }
    assert preferred(entries) == "fine"
    del entries["fine"], entries["coarse"]
    assert preferred(entries) == "doubtful"


def test_none_that_finds_more_is_preselected_while_one_fits() -> None:
    rng = random.Random(1)
    for _ in range(200):
        entries = {
            str(n): figures(
                rng.choice(["fits", "does-not-fit"]), rng.randint(0, 5), rng.randint(0, 5) / 5
            )
            for n in range(rng.randint(1, 6))
        }
        chosen = entries[preferred(entries)]
        fitting = [entry for entry in entries.values() if entry.verdict == "fits"]
        if fitting:
            assert chosen.verdict == "fits"
            assert chosen.kept == max(entry.kept or 0 for entry in fitting)
        else:
            assert chosen.found == min(entry.found or 0 for entry in entries.values())


def test_the_front_is_what_no_other_beats() -> None:
    rng = random.Random(2)
    for _ in range(100):
        entries = {
            str(n): figures("fits", rng.randint(0, 4), rng.randint(0, 4) / 4) for n in range(6)
        }
        slow = set()
        for id, entry in entries.items():
            beaten = False
            for other in entries.values():
                no_worse = other.found <= entry.found and other.kept >= entry.kept  # type: ignore[operator]
                better = other.found < entry.found or other.kept > entry.kept  # type: ignore[operator]
                beaten |= no_worse and better
            if not beaten:
                slow.add(id)
        assert unbeaten(entries) == slow
