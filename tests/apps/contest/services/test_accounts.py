from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from apps.contest.played import PASSWORD, SLUG, Clock, FirstBytes, Played
from tokumei.apps.contest.services import passwords
from tokumei.apps.contest.services.accounts import (
    account_summary,
    change_password,
    create_account,
    create_invite,
    first_organiser_code,
    revoke_invite,
)
from tokumei.apps.contest.services.authentication import (
    LOGIN_DAYS,
    create_token,
    create_token_by_password,
    list_tokens,
    log_in,
    log_out,
    revoke_token,
    start_session,
    viewer_from_cookie,
    viewer_from_token,
)
from tokumei.apps.contest.services.context import VISITOR, AppContext
from tokumei.apps.contest.services.passwords import FREE_BY_ADDRESS, FREE_BY_NAME, LONGEST_BY_NAME
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.contest.store.tables import ApiToken, Invite, LoginSession, UserAccount
from tokumei.apps.http.errors import (
    Conflict,
    Forbidden,
    NotFound,
    TooManyRequests,
    Unauthorized,
    UnprocessableContent,
)


def test_secrets_are_kept_as_hashes_only(opened: Played) -> None:
    cookie = log_in(opened.place, "ant", PASSWORD)
    with opened.place.read() as session:
        kept = [account.password for account in session.scalars(select(UserAccount))]
        hashes = [
            *session.scalars(select(ApiToken.hash)),
            *session.scalars(select(LoginSession.hash)),
            *session.scalars(select(Invite.hash)),
        ]
    assert all(password.startswith("$argon2id$") for password in kept)
    assert len(set(kept)) == len(kept)
    assert all(len(hashed) == 64 for hashed in hashes)
    assert not {cookie, *opened.tokens.values()} & set(hashes)


def test_a_code_is_needed_and_used_up(opened: Played) -> None:
    place = opened.place
    with pytest.raises(Forbidden, match="invite code"):
        create_account(place, "dog", PASSWORD)
    code = create_invite(place, opened.viewers["organiser"], "register", uses=1).code
    with pytest.raises(Conflict, match="looks like"):
        create_account(place, "АNT", PASSWORD, invite=code)
    assert not create_account(
        place, "dog", PASSWORD, invite=code.lower().replace("-", " ")
    ).organiser
    with pytest.raises(Forbidden, match="used up"):
        create_account(place, "elk", PASSWORD, invite=code)


def test_codes_end_by_time_and_by_the_organiser(opened: Played) -> None:
    organiser = opened.viewers["organiser"]
    early = create_invite(opened.place, organiser, "register", days=1)
    late = create_invite(opened.place, organiser, "register", days=9)
    opened.clock.forward(days=1)
    with pytest.raises(Forbidden):
        create_account(opened.place, "dog", PASSWORD, invite=early.code)
    revoke_invite(opened.place, organiser, late.id)
    with pytest.raises(Forbidden):
        create_account(opened.place, "dog", PASSWORD, invite=late.code)


def test_the_first_code_is_for_the_first_organiser_only(opened: Played) -> None:
    assert first_organiser_code(opened.place) is None
    with pytest.raises(Forbidden):
        create_invite(opened.place, opened.viewers["ant"], "organiser")


def test_only_the_last_first_code_makes_an_organiser(home: ContestHome) -> None:
    checker: Any = FirstBytes()
    place = AppContext(home, home.database(), checker, Clock())
    first, last = first_organiser_code(place), first_organiser_code(place)
    with pytest.raises(Forbidden, match="used up"):
        create_account(place, "Mallory", PASSWORD, invite=first)
    assert create_account(place, "Olga", PASSWORD, invite=last).organiser
    place.close()


@pytest.mark.parametrize("password", ["short", "x" * 9, "y" * 1001])
def test_passwords_have_a_length(opened: Played, password: str) -> None:
    code = create_invite(opened.place, opened.viewers["organiser"], "register").code
    with pytest.raises(UnprocessableContent):
        create_account(opened.place, "dog", password, invite=code)


def test_cookies_log_in_until_they_end(opened: Played) -> None:
    place = opened.place
    cookies = [log_in(place, name, PASSWORD) for name in ("ant", " ＡＮＴ ")]
    assert len(set(cookies)) == 2
    assert viewer_from_cookie(place, cookies[0]) == opened.viewers["ant"]
    log_out(place, cookies[0])
    assert viewer_from_cookie(place, cookies[0]) == VISITOR
    assert viewer_from_cookie(place, cookies[1]) == opened.viewers["ant"]
    opened.clock.forward(days=LOGIN_DAYS)
    for cookie in (cookies[1], None, "", "\x00"):
        assert viewer_from_cookie(place, cookie) == VISITOR


def test_a_new_password_ends_logins_and_tokens(opened: Played) -> None:
    place, ant = opened.place, opened.viewers["ant"]
    cookie = start_session(place, ant)
    with pytest.raises(Forbidden):
        change_password(place, ant, "not this one", "another password")
    change_password(place, ant, PASSWORD, "another password")
    assert viewer_from_cookie(place, cookie) == VISITOR
    with pytest.raises(Unauthorized):
        viewer_from_token(place, opened.tokens["ant"])
    with pytest.raises(Unauthorized):
        log_in(place, "ant", PASSWORD)
    assert log_in(place, "ant", "another password")


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


def test_tokens_are_ones_own(opened: Played) -> None:
    place, ant, bee = opened.place, opened.viewers["ant"], opened.viewers["bee"]
    made = create_token_by_password(place, "ant", PASSWORD, label="lap\u202etop")
    assert made.token.startswith("tkm_")
    assert made.label == "laptop"
    with pytest.raises(NotFound):
        revoke_token(place, bee, made.id)
    assert viewer_from_token(place, made.token) == ant
    revoke_token(place, ant, made.id)
    with pytest.raises(Unauthorized):
        viewer_from_token(place, made.token)
    assert made.id not in [token.id for token in list_tokens(place, ant)]


def test_there_is_a_bound_of_tokens(opened: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.apps.contest.services.authentication.MOST_TOKENS", 2)
    create_token(opened.place, opened.viewers["ant"], "two")
    with pytest.raises(Conflict):
        create_token(opened.place, opened.viewers["ant"], "three")


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


def test_new_passwords_cost_what_they_should() -> None:
    code = (
        "from tokumei.apps.contest.services.passwords import hash_password as h; print(h('x' * 10))"
    )
    made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert made.stdout.startswith("$argon2id$v=19$m=47104,t=1,p=1$")


def test_unknown_names_cost_as_much(opened: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    code = create_invite(opened.place, opened.viewers["organiser"], "register").code
    create_account(opened.place, "dog", PASSWORD, invite=code)
    verified: list[str] = []
    real = passwords._HASHER.verify

    def verify(password: bytes, kept: str) -> bool:
        verified.append(kept)
        return real(password, kept)

    monkeypatch.setattr(passwords._HASHER, "verify", verify)
    for name in ("dog", "nobody at all", "\x00", "\ud800"):
        with pytest.raises(Unauthorized, match="name or password"):
            log_in(opened.place, name, "wrong")
    assert len(verified) == 4
    assert len({kept.rsplit("$", 2)[0] for kept in verified}) == 1  # the same work for all


def test_me_tells_the_teams(opened: Played) -> None:
    assert account_summary(opened.place, opened.viewers["ann"]).teams == {SLUG: "Ants"}
    assert account_summary(opened.place, opened.viewers["organiser"]).organiser
