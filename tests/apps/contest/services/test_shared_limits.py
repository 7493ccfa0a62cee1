"""Limits that guard accounts are in the store, so more web processes give nobody more tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.contest.played import PASSWORD, Played
from tokumei.apps.contest.services.accounts import change_password, create_account
from tokumei.apps.contest.services.authentication import log_in
from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.contest.services.passwords import FREE_BY_ADDRESS, FREE_BY_NAME
from tokumei.apps.contest.store.server_home import open_home
from tokumei.apps.http.errors import Forbidden, TooManyRequests, Unauthorized


@pytest.fixture
def places(opened_both: Played, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[AppContext]]:
    """Two web processes of one home, each with its own connections; passwords cost nothing."""
    for module in ("authentication", "passwords"):
        monkeypatch.setattr(
            f"tokumei.apps.contest.services.{module}.verify_password", lambda given, kept: False
        )
    monkeypatch.setattr(
        "tokumei.apps.contest.services.accounts.hash_password", lambda password: "!"
    )
    first = opened_both.place
    home = open_home(first.home.path, first.home.settings)
    second = AppContext(home, home.database(), first.checker, opened_both.clock)
    yield [first, second]
    second.database.close()


def test_passwords_tried(places: list[AppContext]) -> None:
    for number in range(FREE_BY_NAME):
        with pytest.raises(Unauthorized):
            log_in(places[number % 2], "ant", "wrong", address=f"a{number}")
    for place in places:
        with pytest.raises(TooManyRequests):
            log_in(place, "ant", PASSWORD, address="b")


def test_old_passwords_tried(opened_both: Played, places: list[AppContext]) -> None:
    ant = opened_both.viewers["ant"]
    for number in range(FREE_BY_NAME):
        with pytest.raises(Forbidden):
            change_password(places[number % 2], ant, "wrong", PASSWORD)
    for place in places:
        with pytest.raises(TooManyRequests):
            change_password(place, ant, PASSWORD, PASSWORD)


def test_codes_tried(places: list[AppContext]) -> None:
    for number in range(FREE_BY_ADDRESS):
        with pytest.raises(Forbidden):
            create_account(places[number % 2], f"new{number}", PASSWORD, invite="ABCD", address="a")
    for place in places:
        with pytest.raises(TooManyRequests):
            create_account(place, "another", PASSWORD, invite="ABCD", address="a")


def test_uploads_made(opened_both: Played, places: list[AppContext]) -> None:
    opened_both.changed(quotas={"uploads_per_hour": 2})
    opened_both.submit("ant", b"one")
    opened_both.submit("ant", b"two")
    opened_both.place = places[1]
    with pytest.raises(TooManyRequests):
        opened_both.submit("ann", b"three")


def test_rejected_uploads_have_a_quota_of_their_own(opened_both: Played) -> None:
    opened_both.changed(quotas={"rejected_per_hour": 2, "uploads_per_hour": 20})
    opened_both.submit("ant", b"bad 1")
    opened_both.submit("ant", b"good")
    opened_both.submit("ant", b"bad 2")
    with pytest.raises(TooManyRequests, match="2 rejected uploads per hour") as refusal:
        opened_both.submit("ann", b"good again")
    assert "不受理" in refusal.value.message.ja
    assert int(refusal.value.headers["retry-after"]) <= 3600
    opened_both.submit("bee", b"good")
    opened_both.clock.forward(hours=1, seconds=1)
    opened_both.submit("ant", b"good again")
