"""Tests of tokumei.apps.contest.services.rejudging."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from apps.contest.played import SLUG, Played
from tokumei.apps.contest.services import rejudging
from tokumei.apps.contest.services.context import VISITOR
from tokumei.apps.contest.services.leaderboard import build_leaderboard
from tokumei.apps.contest.store.tables import EntryScore
from tokumei.apps.http.errors import Conflict


def _answer(utility: float | None, safety: float, **more: Any) -> dict[str, Any]:
    return {
        "accepted": True,
        "judge_version": "judge-2",
        "utility": utility,
        "safety": safety,
        "total": utility,
        "unsafe": False,
        "figures": {},
        "faults": [],
        "fault_total": 0,
    } | more


def test_a_rejudgement_changes_nothing_until_it_is_applied(played: Played) -> None:
    place, organiser, ids = played.place, played.viewers["organiser"], played.entries
    run = rejudging.start_rejudging(place, organiser, SLUG).run
    before = build_leaderboard(place, VISITOR, SLUG)
    with pytest.raises(Conflict):
        rejudging.apply_run(place, organiser, SLUG, run)
    same = _answer(0.3, 0.2)
    results = {name: same for name in ("target", "private", "scored", "failed")} | {
        "published": _answer(0.05, 0.1),
        "attack": _answer(None, 0.3),
        "attacked": _answer(None, 0.2),
    }
    played.rejudged(run, {ids[name]: result for name, result in results.items()})
    diff = rejudging.get_run_diff(place, organiser, SLUG, run)
    assert (diff.ready, diff.total, diff.applied) == (True, 7, False)
    row = next(row for row in diff.rows if row.entry == ids["published"])
    assert row.old is not None
    assert row.new is not None
    assert (row.old.utility, row.new.utility, row.changed) == (0.2, 0.05, True)
    assert [(r.team, r.old, r.new) for r in diff.ranks] == [("Ants", 2, 1), ("Bees", 1, 2)]
    assert build_leaderboard(place, VISITOR, SLUG) == before
    assert rejudging.apply_run(place, organiser, SLUG, run).applied
    assert [row.team for row in build_leaderboard(place, VISITOR, SLUG).rows] == ["Ants", "Bees"]
    with place.read() as session:
        kept = session.scalars(
            select(EntryScore).where(EntryScore.entry_id == ids["published"])
        ).all()
    assert sorted((score.judge_version, score.current) for score in kept) == [
        ("judge-1", False),
        ("judge-2", True),
    ]
    with pytest.raises(Conflict):
        rejudging.apply_run(place, organiser, SLUG, run)


def test_a_recheck_lists_what_now_breaks_rules(played: Played) -> None:
    place, organiser, ids = played.place, played.viewers["organiser"], played.entries
    run = rejudging.start_rechecking(place, organiser, SLUG).run
    scored = ("target", "private", "scored", "published", "attack", "attacked")
    results = {ids[name]: _answer(None, 0.0) for name in scored}
    results[ids["scored"]] = _answer(None, 0.0, accepted=False, fault_total=2)
    played.rejudged(run, results)
    diff = rejudging.get_run_diff(place, organiser, SLUG, run)
    assert [row.entry for row in diff.rows if row.now_rejected] == [ids["scored"]]
    with pytest.raises(Conflict):
        rejudging.apply_run(place, organiser, SLUG, run)
    assert [
        (one.run, one.kind, one.done) for one in rejudging.list_runs(place, organiser, SLUG)
    ] == [(run, "recheck", 6)]
