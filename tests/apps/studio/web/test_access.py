"""Tests of tokumei.apps.studio.web.access."""

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
