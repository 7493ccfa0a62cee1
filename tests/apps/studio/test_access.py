"""Nobody but the person who started a studio can read in it or act: each door, tried."""

from __future__ import annotations

import pytest

from apps.studio.conftest import PORT, Studio
from tokumei.apps.studio.web.access import SESSION_COOKIE


def test_the_token_is_taken_for_a_cookie_bound_to_a_secret_path(studio: Studio) -> None:
    address = studio.access.first_address.removeprefix(studio.access.origin)
    answer = studio.raw("GET", address)
    cookie = answer.headers["set-cookie"]
    assert answer.status_code == 200
    assert f"{SESSION_COOKIE}={studio.access.session}" in cookie
    for word in ("HttpOnly", "SameSite=strict", f"Path={studio.access.base}/"):
        assert word in cookie
    assert studio.raw("GET", f"{studio.access.base}/enter?token=wrong").status_code == 403


def test_without_the_cookie_there_is_nothing(studio: Studio) -> None:
    for path in ("/", "/p/x/look", "/static/studio.js"):
        answer = studio.raw("GET", f"{studio.access.base}{path}")
        assert answer.status_code == 403
        assert studio.access.base not in answer.text
    assert studio.raw("GET", "/").status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": f"localhost:{PORT}"}, 421),
        ({"host": f"evil.example:{PORT}"}, 421),
        ({"host": "127.0.0.1"}, 421),
        ({"host": f"127.0.0.1:{PORT + 1}"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": f"http://127.0.0.1:{PORT + 1}"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"cookie": f"{SESSION_COOKIE}=guessed"}, 403),
        ({"cookie": '"; ='}, 403),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_foreign_names_origins_and_cookies_are_refused(
    studio: Studio, method: str, headers: dict[str, str], status: int
) -> None:
    path = "/" if method == "GET" else "/sample"
    assert studio.ask(method, path, headers=headers).status_code == status


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
