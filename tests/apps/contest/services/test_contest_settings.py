"""What changes without judging again, and contests that go before they were used."""

from __future__ import annotations

import pytest

from apps.contest.played import SLUG, Played, contest_zip
from tokumei.apps.contest.services.accounts import account_summary
from tokumei.apps.contest.services.contest_settings import change_settings, delete_contest
from tokumei.apps.contest.services.contests import create_contest, get_contest_view, list_contests
from tokumei.apps.contest.services.context import VISITOR
from tokumei.apps.contest.services.leaderboard import build_leaderboard
from tokumei.apps.contest.services.monitoring import adopt_contest_files, read_audit_log
from tokumei.apps.http.errors import (
    Conflict,
    Forbidden,
    NotFound,
    TooManyRequests,
    Unauthorized,
    UnprocessableContent,
)
from tokumei.core.errors import InputError


def test_settings_change_at_once_and_nothing_is_judged_again(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    opened.scored("ant", b"first")
    before = get_contest_view(place, VISITOR, SLUG)
    board = build_leaderboard(place, VISITOR, SLUG)
    changes = {"title": {"ja": "秋の杯"}, "quotas": {"submissions": 1}, "feedback": "banded"}
    after = change_settings(place, organiser, SLUG, changes, reason="fewer, please")
    assert (after.title.show("en"), after.title.show("ja")) == ("Summer cup", "秋の杯")
    assert (after.quotas["submissions"], after.feedback) == (1, "banded")
    assert after.quotas["submissions_per_day"] == before.quotas["submissions_per_day"]
    assert after.judge_version == before.judge_version
    assert build_leaderboard(place, VISITOR, SLUG) == board
    with pytest.raises(TooManyRequests):
        opened.submit("ant", b"second")
    row = read_audit_log(place, organiser, SLUG).rows[0]
    assert (row.action, row.details["reason"]) == ("contest.settings", "fewer, please")
    assert row.details["old"]["feedback"] == "exact"


def test_settings_outlive_a_change_of_the_judge(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    change_settings(place, organiser, SLUG, {"quotas": {"submissions": 7}}, reason="why not")
    adopt_contest_files(place, organiser, SLUG)
    found = get_contest_view(place, VISITOR, SLUG)
    assert (found.quotas["submissions"], found.quotas["megabytes"]) == (7, 1)


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"scoring": {"total": "max"}}, UnprocessableContent),
        ({"quotas": {"megabytes": 9}}, UnprocessableContent),
        ({"feedback": "exact"}, UnprocessableContent),
        ({"feedback": "loud"}, InputError),
        ({"quotas": {"submissions": 0}}, InputError),
    ],
)
def test_what_decides_figures_or_makes_no_sense_is_refused(opened, changes, refusal) -> None:
    with pytest.raises(refusal):
        change_settings(opened.place, opened.viewers["organiser"], SLUG, changes, reason="x")


def test_only_organisers_change_or_delete(opened: Played) -> None:
    for who, refusal in (("visitor", Unauthorized), ("ant", Forbidden)):
        for act in (
            lambda v: change_settings(opened.place, v, SLUG, {"feedback": "banded"}, reason="x"),
            lambda v: delete_contest(opened.place, v, SLUG, reason="x"),
        ):
            with pytest.raises(refusal):
                act(opened.viewers[who])


def test_a_contest_without_uploads_is_deleted_and_its_address_free(opened, tmp_path) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    delete_contest(place, organiser, SLUG, reason="a test")
    assert list_contests(place, VISITOR) == ()
    with pytest.raises(NotFound):
        get_contest_view(place, VISITOR, SLUG)
    assert list(place.home.contests.iterdir()) == []
    assert (
        account_summary(place, opened.viewers["ant"]).teams == {}
    )  # no link to a page that is gone
    assert create_contest(place, organiser, contest_zip(tmp_path)).slug == SLUG


def test_a_contest_with_uploads_stays(opened: Played) -> None:
    opened.submit("ant", b"bad")
    with pytest.raises(Conflict):
        delete_contest(opened.place, opened.viewers["organiser"], SLUG, reason="x")


def test_nothing_instead_of_quotas_is_refused(opened: Played) -> None:
    with pytest.raises(InputError):
        change_settings(
            opened.place, opened.viewers["organiser"], SLUG, {"quotas": None}, reason="why"
        )
