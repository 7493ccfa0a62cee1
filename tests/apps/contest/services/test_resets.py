"""Forgotten passwords are set anew with an organiser's link, once."""

from __future__ import annotations

import pytest

from apps.contest.played import PASSWORD, SLUG, Played
from tokumei.apps.contest.services.authentication import log_in, viewer_from_token
from tokumei.apps.contest.services.monitoring import read_audit_log
from tokumei.apps.contest.services.passwords import create_reset_code, reset_password
from tokumei.apps.http.errors import Forbidden, HttpError, NotFound, Unauthorized

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
