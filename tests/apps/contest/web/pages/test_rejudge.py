"""Tests of tokumei.apps.contest.web.pages.rejudge."""

from __future__ import annotations

import re

from apps.contest.web.scene import Scene
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.apps.contest.store.tables import EntryScore, JudgingJob


def test_judging_again_shows_its_differences_before_they_count(scene):
    better = scene.add_entry("chi", scores=(0.4, 0.4), published=True)
    scene.add_entry("aoi", scores=(0.3, 0.3), published=True)
    write_sample_contest(scene.place.home.contests / "again", slug="cup", rows=200, customers=20)
    browser = scene.browser("org")
    begun = _begin(scene, browser)
    path = begun.headers["location"]
    assert 'data-ready="no"' in browser.get(path).text
    with scene.place.write() as session:
        for job in session.query(JudgingJob).all():
            job.state = "done"
            utility = 0.1 if job.entry_id == better else 0.3
            job.result = _result(utility)
    assert browser.get(f"{path}/state").headers["x-finished"]
    page = browser.get(path).text
    assert re.search(r'<tr data-entry="0*1">', page)
    assert 'id="rank-changes"' in page
    assert browser.send(path, do="apply").status_code == 303
    assert 'data-team="Kumo"' in scene.browser().get("/c/cup/leaderboard").text
    with scene.place.read() as session:
        assert session.query(EntryScore).filter_by(entry_id=better).count() == 2


def _begin(scene: Scene, browser):
    with scene.place.write() as session:
        from tokumei.apps.contest.store.tables import Contest

        session.query(Contest).one().folder = "again"
    answer = browser.send("/c/cup/console/rejudge", do="rejudge")
    assert answer.status_code == 303, answer.text
    return answer


def _result(utility: float) -> dict[str, object]:
    return {
        "accepted": True,
        "judge_version": "v2",
        "utility": utility,
        "safety": utility,
        "total": utility,
        "unsafe": False,
        "figures": {},
        "faults": [],
        "fault_total": 0,
    }
