"""Tests of tokumei.apps.contest.services.entries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from apps.contest.played import SLUG, START, Played
from tokumei.apps.contest.services.contest_state import OutsidePhaseError
from tokumei.apps.contest.services.entries import (
    cancel_entry,
    get_entry_view,
    list_team_entries,
    publish_release,
    unpublish_release,
)
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.contest.store.tables import ContestEntry, JudgingJob
from tokumei.apps.http.errors import Conflict, NotFound, TooManyRequests

SECOND_ROUND = START + timedelta(days=11)


@pytest.fixture
def two_rounds(sqlite_home: ContestHome, tmp_path: Path) -> Iterator[Played]:
    """A contest in the first of two attack phases, with entries in every state."""
    days = (("anonymize", 0, 7), ("attack", 7, 10), ("anonymize", 10, 12), ("attack", 12, 15))
    phases = [
        {"kind": kind, "starts": START + timedelta(days=a), "ends": START + timedelta(days=b)}
        for kind, a, b in days
    ]
    played = Played.make(sqlite_home, tmp_path, phases=phases)
    yield played
    played.close()


def test_no_choice_changes_between_anonymize_phases(two_rounds: Played) -> None:
    place, ant, entries = two_rounds.place, two_rounds.viewers["ant"], two_rounds.entries
    for change, name in ((unpublish_release, "published"), (publish_release, "scored")):
        with pytest.raises(OutsidePhaseError, match="anonymize phase is open"):
            change(place, ant, SLUG, entries[name])
        shown = get_entry_view(place, ant, SLUG, entries[name])
        assert (shown.can_publish, shown.can_unpublish) == (False, False)
    assert get_entry_view(place, ant, SLUG, entries["published"]).published


def test_an_attacked_release_stays_published(two_rounds: Played) -> None:
    place, ant, entries = two_rounds.place, two_rounds.viewers["ant"], two_rounds.entries
    two_rounds.clock.to(SECOND_ROUND)
    with pytest.raises(Conflict, match="attacked already"):
        unpublish_release(place, ant, SLUG, entries["published"])
    assert not get_entry_view(place, ant, SLUG, entries["published"]).can_unpublish
    two_rounds.changed(quotas={"published": 2})
    assert publish_release(place, ant, SLUG, entries["scored"]).can_unpublish
    assert unpublish_release(place, ant, SLUG, entries["scored"]).can_publish


def test_attempts_on_a_target_are_counted_by_team(played: Played) -> None:
    target = played.entries["target"]
    played.attack("ann", target)
    played.attack("ant", target, b"bad")  # costs nothing
    last = played.attack("ant", target)
    with pytest.raises(TooManyRequests, match="all 3 attempts"):
        played.attack("ann", target)
    cancel_entry(played.place, played.viewers["ant"], SLUG, last.id)
    assert played.attack("ann", target).state == "queued"


def test_an_entry_waits_no_more_when_it_is_cancelled(opened: Played) -> None:
    ant, bee = opened.viewers["ant"], opened.viewers["bee"]
    first, second = opened.submit("ant", b"1"), opened.submit("ant", b"2")
    assert second.queue_position == 2
    with pytest.raises(NotFound):
        cancel_entry(opened.place, bee, SLUG, first.id)
    assert cancel_entry(opened.place, ant, SLUG, first.id).state == "cancelled"
    assert get_entry_view(opened.place, ant, SLUG, second.id).queue_position == 1
    with pytest.raises(Conflict):
        cancel_entry(opened.place, ant, SLUG, first.id)
    with opened.place.write() as session:
        job = session.scalars(select(JudgingJob).where(JudgingJob.entry_id == second.id)).one()
        job.state = "running"
        session.get_one(ContestEntry, second.id).state = "running"
    with pytest.raises(Conflict, match="being judged"):
        cancel_entry(opened.place, ant, SLUG, second.id)
    assert len(list_team_entries(opened.place, ant, SLUG)) == 2
