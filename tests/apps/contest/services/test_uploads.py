from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest
from sqlalchemy import func, select

from apps.contest.played import FAULTS, GUESS_FILES, OVER, SLUG, START, Played
from tokumei.apps.contest.jobs.judging_job import change_entry_state
from tokumei.apps.contest.services.administration import set_team_status
from tokumei.apps.contest.services.contest_state import OutsidePhaseError
from tokumei.apps.contest.services.entries import cancel_entry
from tokumei.apps.contest.services.entry_views import EntryView
from tokumei.apps.contest.services.teams import get_team_view
from tokumei.apps.contest.services.upload_intake import ReceivedFile
from tokumei.apps.contest.services.uploads import (
    allowed_upload_bytes,
    submit_attack,
    submit_release,
)
from tokumei.apps.contest.store.tables import JudgingJob
from tokumei.apps.http.errors import (
    Conflict,
    Forbidden,
    NotFound,
    TooManyRequests,
    UnprocessableContent,
)

END = START + timedelta(days=7)


def inbox(played: Played) -> list[Path]:
    return sorted((played.place.home.path / "inbox").iterdir())


def test_an_accepted_upload_is_durable_and_queued_once(opened: Played) -> None:
    entry = opened.submit("ant", b"rows\n", label="k = 5\u200b")
    assert (entry.state, entry.label, entry.queue_position) == ("queued", "k = 5", 1)
    assert [step.state for step in entry.steps] == ["received", "queued"]
    assert [path.name for path in inbox(opened)] == [entry.id]
    assert inbox(opened)[0].read_bytes() == b"rows\n"
    with opened.place.read() as session:
        jobs = session.scalars(select(JudgingJob)).all()
    assert [(job.kind, job.entry_id, job.state) for job in jobs] == [("judge", entry.id, "queued")]


def test_a_rejected_upload_tells_every_fault_and_is_not_queued(opened: Played) -> None:
    entry = opened.submit("ant", b"bad")
    assert (entry.state, entry.fault_total, entry.queue_position) == ("rejected", 2, None)
    assert [(fault.line, fault.message.show("ja")) for fault in entry.faults] == [
        (fault["line"], fault["message_ja"]) for fault in FAULTS
    ]
    with opened.place.read() as session:
        assert session.scalar(select(func.count(JudgingJob.id))) == 0


def test_an_upload_that_could_not_be_checked_is_kept(opened: Played) -> None:
    entry = opened.submit("ant", b"slow")
    assert (entry.state, entry.queue_position) == ("received", 1)
    assert entry.reason is not None


@pytest.mark.parametrize(("after", "late"), [(-0.001, False), (0.0, True), (3.5, True)])
def test_the_last_byte_decides_by_the_servers_clock(
    opened: Played, after: float, late: bool
) -> None:
    ant = opened.viewers["ant"]
    opened.clock.to(END - timedelta(seconds=10))
    allowed_upload_bytes(opened.place, ant, SLUG)
    opened.clock.to(END + timedelta(seconds=after))
    received = opened.received()
    opened.clock.to(END + timedelta(minutes=5))
    if not late:
        assert submit_release(opened.place, ant, SLUG, received).state == "queued"
        return
    with pytest.raises(OutsidePhaseError, match=f"{after:.3f} seconds after"):
        submit_release(opened.place, ant, SLUG, received)
    assert inbox(opened) == []


def test_uploads_before_the_phase_tell_when_it_begins(opened: Played) -> None:
    opened.clock.to(START - timedelta(hours=26))
    with pytest.raises(OutsidePhaseError, match="in 1 d 2 h"):
        allowed_upload_bytes(opened.place, opened.viewers["ant"], SLUG)
    opened.clock.to(OVER)
    with pytest.raises(OutsidePhaseError, match="too late"):
        allowed_upload_bytes(opened.place, opened.viewers["ant"], SLUG)


def test_only_members_of_teams_that_play_may_upload(opened: Played) -> None:
    for who in ("cat", "organiser"):
        with pytest.raises(Forbidden, match="no team"):
            opened.submit(who)
    team = get_team_view(opened.place, opened.viewers["ant"], SLUG)
    organiser = opened.viewers["organiser"]
    set_team_status(opened.place, organiser, SLUG, team.id, banned=True, reason="two accounts")
    with pytest.raises(Forbidden, match="two accounts"):
        opened.submit("ann")
    assert inbox(opened) == []


def test_what_costs_quota(opened: Played) -> None:
    ant = opened.viewers["ant"]
    made = [opened.submit("ant", content) for content in (b"1", b"2", b"3", b"bad", b"slow")]
    cancel_entry(opened.place, ant, SLUG, made[0].id)
    with opened.place.write() as session:
        change_entry_state(session, made[1].id, "failed")
    quota = get_team_view(opened.place, ant, SLUG).quota
    assert (quota.submissions_left, quota.submissions_left_today) == (18, 13)
    assert quota.uploads_left_this_hour == 25 - 5


def _fill(played: Played, count: int, content: bytes = b"x") -> list[EntryView]:
    return [played.submit("ant", content) for _ in range(count)]


def test_a_days_submissions_come_back_one_by_one(opened: Played) -> None:
    _fill(opened, 5)
    opened.clock.forward(hours=1)
    _fill(opened, 10)
    with pytest.raises(TooManyRequests) as refused:
        allowed_upload_bytes(opened.place, opened.viewers["ant"], SLUG)
    assert refused.value.retry_after == 23 * 3600
    opened.clock.forward(hours=23)
    _fill(opened, 5)
    with pytest.raises(TooManyRequests) as refused:
        opened.submit("ann")
    assert refused.value.retry_after is None  # all 20 are used


def test_rejected_uploads_are_bounded_by_the_hour(opened: Played) -> None:
    _fill(opened, 25, b"bad")
    with pytest.raises(TooManyRequests, match="uploads per hour") as refused:
        opened.submit("ant", b"bad")
    assert refused.value.retry_after == 3600
    opened.submit("bee")
    opened.clock.forward(hours=1)
    opened.submit("ant")


def test_uploads_at_once_do_not_exceed_the_quota(opened_both: Played) -> None:
    def send(number: int) -> str:
        try:
            return opened_both.submit("ant" if number % 2 else "ann", b"same").state
        except TooManyRequests:
            return "refused"

    opened_both.place.checks_at_once = 6
    with ThreadPoolExecutor(6) as pool:
        states = list(pool.map(send, range(24)))
    assert states.count("queued") == 15
    assert states.count("refused") == 9
    assert len(inbox(opened_both)) == 15


def test_the_same_key_is_taken_once(opened_both: Played) -> None:
    opened_both.place.checks_at_once = 4
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: opened_both.submit("ant", b"one", key="k1"), range(6)))
    assert len({entry.id for entry in found}) == 1
    assert [path.name for path in inbox(opened_both)] == [found[0].id]
    with pytest.raises(Conflict):
        opened_both.submit("ant", b"two", key="k1")
    assert opened_both.submit("bee", b"one", key="k1").id != found[0].id
    with opened_both.place.read() as session:
        assert session.scalar(select(func.count(JudgingJob.id))) == 2


def test_the_same_bytes_twice_are_told(opened: Played) -> None:
    first, other = opened.submit("ant", b"same"), opened.submit("bee", b"same")
    again = opened.submit("ann", b"same")
    assert (first.notes, other.notes) == ((), ())
    assert first.id in again.notes[0].show("en")
    assert again.id != first.id


def test_a_label_has_a_bound(opened: Played) -> None:
    with pytest.raises(UnprocessableContent):
        opened.submit("ant", label="x" * 101)
    assert inbox(opened) == []


def _files(played: Played, *names: str) -> list[ReceivedFile]:
    return [played.received(name.encode(), name) for name in names]


def test_guess_files_are_packed_into_one(played: Played) -> None:
    target, ant = played.entries["target"], played.viewers["ant"]
    files = _files(played, *reversed(GUESS_FILES))
    entry = submit_attack(played.place, ant, SLUG, target, files)
    assert (entry.kind, entry.target, entry.target_team) == ("attack", target, "Bees")
    with ZipFile(played.place.home.inbox.path(entry.id)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            name: name.encode() for name in GUESS_FILES
        }
    assert not any(file.path.exists() for file in files)


def test_other_files_than_the_guess_files_are_refused(played: Played) -> None:
    target, ant = played.entries["target"], played.viewers["ant"]
    before = inbox(played)
    for names in (("F25.csv", "F51.csv"), (*GUESS_FILES, "more.csv"), ("F25.csv", "F25.csv")):
        with pytest.raises(UnprocessableContent, match=r"F25.csv, F50.csv"):
            submit_attack(played.place, ant, SLUG, target, _files(played, *names))
    assert inbox(played) == before


@pytest.mark.parametrize("name", ["private", "scored", "withdrawn", "attack", "queued"])
def test_only_published_releases_can_be_attacked(played: Played, name: str) -> None:
    with pytest.raises(NotFound):
        played.attack("ant", played.entries[name])
    with pytest.raises(NotFound):
        played.attack("bee", played.entries[name])


def test_ones_own_release_cannot_be_attacked(played: Played) -> None:
    with pytest.raises(Forbidden, match="your own"):
        played.attack("ann", played.entries["published"])
