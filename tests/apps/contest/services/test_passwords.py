"""Tests of tokumei.apps.contest.services.passwords."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.contest.played import PASSWORD, SLUG, Played
from tokumei.apps.contest.services import passwords
from tokumei.apps.contest.services.accounts import change_password, create_account
from tokumei.apps.contest.services.authentication import log_in, viewer_from_token
from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.contest.services.monitoring import read_audit_log
from tokumei.apps.contest.services.passwords import (
    FREE_BY_ADDRESS,
    FREE_BY_NAME,
    LONGEST_BY_NAME,
    create_reset_code,
    reset_password,
)
from tokumei.apps.contest.store.server_home import open_home
from tokumei.apps.http.errors import Forbidden, HttpError, NotFound, TooManyRequests, Unauthorized


def test_wrong_old_passwords_slow_down_nobody_else(
    opened: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "FREE_BY_ADDRESS", FREE_BY_NAME)
    monkeypatch.setattr(
        "tokumei.apps.contest.services.passwords.verify_password", lambda old, kept: old == PASSWORD
    )
    ant, bee = opened.viewers["ant"], opened.viewers["bee"]
    for _ in range(FREE_BY_NAME):
        with pytest.raises(Forbidden):
            change_password(opened.place, ant, "wrong", "another password")
    with pytest.raises(TooManyRequests):
        change_password(opened.place, ant, PASSWORD, "another password")
    change_password(opened.place, bee, PASSWORD, "another password")
    assert log_in(opened.place, "bee", "another password")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Passwords compared at once; what they were compared with."""
    seen: list[str | None] = []

    def compare(password: str, kept: str | None) -> bool:
        seen.append(kept)
        return kept is not None and password == PASSWORD

    monkeypatch.setattr("tokumei.apps.contest.services.authentication.verify_password", compare)
    return seen


def _try(opened: Played, name: str, password: str, address: str = "a") -> str:
    return log_in(opened.place, name, password, address=address)


def test_guessing_one_name_gets_slower(opened: Played, quick: list[str | None]) -> None:
    for _ in range(FREE_BY_NAME):
        with pytest.raises(Unauthorized):
            _try(opened, "ant", "wrong")
    waits = []
    for _ in range(8):
        with pytest.raises(TooManyRequests) as refused:
            _try(opened, "Ant", PASSWORD, "another address")
        waits.append(refused.value.retry_after or 0)
        opened.clock.forward(seconds=waits[-1])
        with pytest.raises(Unauthorized):
            _try(opened, "ant", "wrong")
    assert waits == [2, 4, 8, 16, 32, LONGEST_BY_NAME, LONGEST_BY_NAME, LONGEST_BY_NAME]
    opened.clock.forward(seconds=LONGEST_BY_NAME)
    assert _try(opened, "ant", PASSWORD)
    with pytest.raises(Unauthorized):
        _try(opened, "ant", "wrong")


def test_guessing_from_one_address_gets_slower(opened: Played, quick: list[str | None]) -> None:
    for number in range(FREE_BY_ADDRESS):
        with pytest.raises(Unauthorized):
            _try(opened, f"name{number}", "wrong")
    with pytest.raises(TooManyRequests):
        _try(opened, "ant", PASSWORD)
    assert _try(opened, "ant", PASSWORD, "another address")
    opened.clock.forward(minutes=16)
    assert _try(opened, "ant", PASSWORD)


def test_refused_attempts_compare_no_password(opened: Played, quick: list[str | None]) -> None:
    for _ in range(FREE_BY_NAME):
        with pytest.raises(Unauthorized):
            _try(opened, "ant", "wrong")
    compared = len(quick)
    with pytest.raises(TooManyRequests):
        _try(opened, "ant", PASSWORD)
    assert len(quick) == compared


def test_many_attempts_at_once_are_counted(opened_both: Played, quick: list[str | None]) -> None:
    def attempt(_: int) -> type[Exception] | None:
        try:
            _try(opened_both, "ant", "wrong")
        except (Unauthorized, TooManyRequests) as error:
            return type(error)
        return None

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(attempt, range(40)))
    assert found.count(Unauthorized) == FREE_BY_NAME
    assert found.count(TooManyRequests) == 40 - FREE_BY_NAME


NEW = "a quite different horse"


def test_a_link_sets_a_new_password_once(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    first, second = (create_reset_code(place, organiser, SLUG, "ANT").code for _ in range(2))
    reset_password(place, first, NEW)
    with pytest.raises(Unauthorized):
        log_in(place, "ant", PASSWORD, address="a")
    assert log_in(place, "ant", NEW, address="a")
    for code in (first, second):
        with pytest.raises(Forbidden):
            reset_password(place, code, PASSWORD)
    actions = [
        (row.action, row.by, row.about) for row in read_audit_log(place, organiser, SLUG).rows
    ]
    assert ("password.reset", "ant", "ant") in actions
    assert ("password.reset-code", "Olga", "ant") in actions


def test_tokens_made_before_end_with_the_password(opened: Played) -> None:
    place = opened.place
    assert viewer_from_token(place, opened.tokens["ant"]).name == "ant"
    reset_password(
        place, create_reset_code(place, opened.viewers["organiser"], SLUG, "ant").code, NEW
    )
    with pytest.raises(Unauthorized):
        viewer_from_token(place, opened.tokens["ant"]).require_account()


def test_old_changed_and_made_up_links_do_nothing(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    code = create_reset_code(place, organiser, SLUG, "ant").code
    account, until, signature = code.split("-")
    other = str(opened.viewers["bee"].account_id)
    wrong = [
        "",
        "x",
        "1-2",
        f"{other}-{until}-{signature}",
        f"{account}-{int(until) + 9}-{signature}",
    ]
    for made_up in (*wrong, f"{account}-{until}-", "9" * 11 + "-1-a", "é-1-x", "\x00"):
        with pytest.raises(Forbidden):
            reset_password(place, made_up, NEW, address=made_up)
    opened.clock.forward(hours=25)
    with pytest.raises(Forbidden):
        reset_password(place, code, NEW)


def test_only_organisers_make_links_and_not_for_each_other(opened: Played) -> None:
    place = opened.place
    for who in ("visitor", "ant"):
        with pytest.raises(HttpError):
            create_reset_code(place, opened.viewers[who], SLUG, "bee")
    with pytest.raises(Forbidden):
        create_reset_code(place, opened.viewers["organiser"], SLUG, "Olga")
    with pytest.raises(NotFound):
        create_reset_code(place, opened.viewers["organiser"], SLUG, "nobody")


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
