"""Limits that guard accounts are in the store, so more web processes give nobody more tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contest.played import PASSWORD, Played
from tokumei.contest.desk.accounts import change_password, register
from tokumei.contest.desk.logins import log_in
from tokumei.contest.desk.passwords import FREE_BY_ADDRESS, FREE_BY_NAME
from tokumei.contest.desk.place import Place
from tokumei.contest.store.home import open_home
from tokumei.http.refusals import LogInFirst, NotAllowed, TooMany


@pytest.fixture
def places(opened_both: Played, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Place]]:
    """Two web processes of one home, each with its own connections; passwords cost nothing."""
    for module in ("logins", "passwords"):
        monkeypatch.setattr(f"tokumei.contest.desk.{module}.fits", lambda given, kept: False)
    monkeypatch.setattr("tokumei.contest.desk.accounts.hash_password", lambda password: "!")
    first = opened_both.place
    home = open_home(first.home.path, first.home.settings)
    second = Place(home, home.database(), first.checker, opened_both.clock)
    yield [first, second]
    second.database.close()


def test_passwords_tried(places: list[Place]) -> None:
    for number in range(FREE_BY_NAME):
        with pytest.raises(LogInFirst):
            log_in(places[number % 2], "ant", "wrong", address=f"a{number}")
    for place in places:
        with pytest.raises(TooMany):
            log_in(place, "ant", PASSWORD, address="b")


def test_old_passwords_tried(opened_both: Played, places: list[Place]) -> None:
    ant = opened_both.viewers["ant"]
    for number in range(FREE_BY_NAME):
        with pytest.raises(NotAllowed):
            change_password(places[number % 2], ant, "wrong", PASSWORD)
    for place in places:
        with pytest.raises(TooMany):
            change_password(place, ant, PASSWORD, PASSWORD)


def test_codes_tried(places: list[Place]) -> None:
    for number in range(FREE_BY_ADDRESS):
        with pytest.raises(NotAllowed):
            register(places[number % 2], f"new{number}", PASSWORD, invite="ABCD", address="a")
    for place in places:
        with pytest.raises(TooMany):
            register(place, "another", PASSWORD, invite="ABCD", address="a")


def test_uploads_made(opened_both: Played, places: list[Place]) -> None:
    opened_both.changed(quotas={"uploads_per_hour": 2})
    opened_both.submit("ant", b"one")
    opened_both.submit("ant", b"two")
    opened_both.place = places[1]
    with pytest.raises(TooMany):
        opened_both.submit("ann", b"three")


def test_rejected_uploads_have_a_quota_of_their_own(opened_both: Played) -> None:
    opened_both.changed(quotas={"rejected_per_hour": 2, "uploads_per_hour": 20})
    opened_both.submit("ant", b"bad 1")
    opened_both.submit("ant", b"good")
    opened_both.submit("ant", b"bad 2")
    with pytest.raises(TooMany, match="2 rejected uploads per hour") as refusal:
        opened_both.submit("ann", b"good again")
    assert "不受理" in refusal.value.message.ja
    assert int(refusal.value.headers["retry-after"]) <= 3600
    opened_both.submit("bee", b"good")
    opened_both.clock.forward(hours=1, seconds=1)
    opened_both.submit("ant", b"good again")
