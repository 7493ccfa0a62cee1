"""Nobody but the person who started a studio can read in it or act: each door, tried."""

from __future__ import annotations

from apps.studio.conftest import Studio


def test_without_the_cookie_there_is_nothing(studio: Studio) -> None:
    for path in ("/", "/p/x/look", "/static/studio.js"):
        answer = studio.raw("GET", f"{studio.access.base}{path}")
        assert answer.status_code == 403
        assert studio.access.base not in answer.text
    assert studio.raw("GET", "/").status_code == 404


def test_what_changes_something_must_say_where_it_comes_from(studio: Studio) -> None:
    headers = {name: value for name, value in studio.mine.items() if name != "origin"}
    path = f"{studio.access.base}/sample"
    assert studio.raw("POST", path, headers=headers).status_code == 403
    assert studio.raw("GET", f"{studio.access.base}/", headers=headers).status_code == 200


def test_every_answer_forbids_foreign_parts_and_none_allows_another_origin(studio: Studio) -> None:
    for answer in (studio.ask("GET", "/"), studio.raw("GET", "/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"


def test_no_page_holds_a_script_or_style_of_its_own_or_a_foreign_address(studio: Studio) -> None:
    text = studio.ask("GET", "/").text
    assert "<style" not in text
    assert " style=" not in text
    assert "http://" not in text
    assert "https://" not in text
    assert all("src=" in part for part in text.split("<script")[1:])


def test_the_secrets_are_in_no_repr(studio: Studio) -> None:
    shown = repr(studio.access)
    assert studio.access.token not in shown
    assert studio.access.session not in shown
