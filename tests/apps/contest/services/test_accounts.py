from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
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
    log_in,
    start_session,
    viewer_from_cookie,
    viewer_from_token,
)
from tokumei.apps.contest.services.context import VISITOR, AppContext
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.contest.store.tables import ApiToken, Invite, LoginSession, UserAccount
from tokumei.apps.http.errors import Conflict, Forbidden, Unauthorized, UnprocessableContent


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
    with monkeypatch.context() as earlier:  # what another setting computed does not stay
        other = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=16, parallelism=1)])
        earlier.setattr(passwords, "_HASHER", other)
        assert not passwords.verify_password(PASSWORD, None)
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
