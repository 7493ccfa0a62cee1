"""Tests of tokumei.apps.contest.services.authentication."""

from __future__ import annotations

import pytest

from apps.contest.played import PASSWORD, Played
from tokumei.apps.contest.services.authentication import (
    LOGIN_DAYS,
    create_token,
    create_token_by_password,
    list_tokens,
    log_in,
    log_out,
    revoke_token,
    viewer_from_cookie,
    viewer_from_token,
)
from tokumei.apps.contest.services.context import VISITOR
from tokumei.apps.http.errors import Conflict, NotFound, Unauthorized


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
