"""What protects forms and cookies: tokens, fresh logins, no way out by `next`, limits."""

from __future__ import annotations

import pytest

from apps.contest.web.forms_and_cookies_helpers import PASSWORD, registered
from apps.contest.web.scene import Scene
from tokumei.apps.http.signing import sign_data, verify_signed


@pytest.mark.parametrize("token", [None, "", "0" * 64])
def test_a_form_without_its_token_is_refused(scene, token):
    browser = scene.browser("aoi")
    browser.get("/c/cup/team")
    fields = {"do": "rename", "name": "Stolen"} | ({} if token is None else {"token": token})
    answer = browser.post("/c/cup/team", data=fields)
    assert answer.status_code == 403
    assert "Stolen" not in browser.get("/c/cup/team").text


def test_a_token_of_somebody_else_is_refused(scene):
    stolen = scene.browser("chi").token("/c/cup/team")
    fields = {"token": stolen, "do": "rename", "name": "Stolen"}
    assert scene.browser("aoi").post("/c/cup/team", data=fields).status_code == 403


def test_a_form_from_another_site_is_refused(scene):
    browser = scene.browser("aoi")
    fields = {"token": browser.token("/c/cup/team"), "do": "rename", "name": "Stolen"}
    headers = {"sec-fetch-site": "cross-site"}
    assert browser.post("/c/cup/team", data=fields, headers=headers).status_code == 403


def test_a_login_gets_a_new_cookie_whatever_the_browser_had(scene):
    registered(scene)
    browser = scene.browser()
    browser.cookies.set("login", "chosen-by-somebody-else")
    answer = browser.send("/login", name="Eri", password=PASSWORD, next="/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    first = answer.cookies["login"]
    assert first != "chosen-by-somebody-else"
    again = browser.send("/login", name="Eri", password=PASSWORD)
    assert again.cookies["login"] != first
    old = scene.browser()
    old.cookies.set("login", first)
    assert old.get("/account").status_code == 303, "the old login has ended"


def test_what_no_header_can_hold_is_quoted(scene):
    registered(scene)
    for headers, name in (({"x-script": "yes"}, "x-location"), ({}, "location")):
        browser = scene.browser()
        fields = {"name": "Eri", "password": PASSWORD, "next": "/日本?a=%20b&c"}
        fields["token"] = browser.token("/login")
        answer = browser.post("/login", data=fields, headers=headers)
        assert answer.headers[name] == "/%E6%97%A5%E6%9C%AC?a=%20b&c"


@pytest.mark.parametrize("charset", ["utf-7", "punycode", "undefined", "unicode_escape"])
@pytest.mark.parametrize("text", [b"+2AA-", b"\\ud800", b"\xff-"])
def test_an_encoding_of_ones_own_is_refused(scene, charset, text):
    part = b'--B\r\nContent-Disposition: form-data; name="token"\r\n\r\n%s\r\n--B--\r\n' % text
    headers = {"content-type": f"multipart/form-data; boundary=B; charset={charset}"}
    assert scene.browser().post("/login", content=part, headers=headers).status_code in (403, 422)


def test_logging_out_ends_the_login_on_the_server(scene):
    browser = scene.browser("aoi")
    kept = browser.cookies["login"]
    assert browser.send("/logout", page="/").status_code == 303
    thief = scene.browser()
    thief.cookies.set("login", kept)
    assert thief.get("/account").status_code == 303


def test_cookies_are_for_the_server_alone(scene):
    registered(scene)
    answer = scene.browser().send("/login", name="Eri", password=PASSWORD)
    login = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("login="))
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(login.split("; "))


def test_by_https_cookies_are_secure_and_bound_to_the_host(tmp_path):
    scene = Scene.make(tmp_path, public_url="https://contest.test")
    registered(scene)
    browser = scene.browser(url="https://contest.test")
    answer = browser.send("/login", name="Eri", password=PASSWORD)
    login = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("__Host-login="))
    assert {"HttpOnly", "Secure", "Path=/"} <= set(login.split("; "))
    assert answer.headers["strict-transport-security"]
    assert browser.get("/account").status_code == 200
    scene.close()


def test_one_comes_back_to_where_one_wanted_to_go(scene):
    answer = scene.browser().get("/c/cup/team")
    assert answer.headers["location"] == "/login?next=%2Fc%2Fcup%2Fteam"


def test_guessing_passwords_is_slowed_down(scene):
    registered(scene)
    browser = scene.browser()
    answers = [browser.send("/login", name="Eri", password="wrong guess") for _ in range(8)]
    assert [answer.status_code for answer in answers[:5]] == [401] * 5
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0
    assert browser.send("/login", name="Eri", password=PASSWORD).status_code == 429


def test_an_upload_larger_than_the_quota_is_stopped_while_it_arrives(tmp_path):
    scene = Scene.make(tmp_path, quotas={"megabytes": 1})
    browser = scene.browser("aoi")
    token = browser.token("/c/cup/submit")
    file = ("A.csv", b"x" * (4 << 20))
    answer = browser.post("/c/cup/submit", data={"token": token}, files={"file": file})
    assert answer.status_code == 413
    assert "Nothing submitted yet" in browser.get("/c/cup/entries").text
    assert not list(scene.place.home.inbox.folder.iterdir())
    scene.close()


def test_every_answer_carries_the_headers_that_protect(scene):
    for path in ("/", "/login", "/nothing", "/c/cup/team", "/static/site.css"):
        headers = scene.browser().get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    assert scene.browser().get("/").headers["cache-control"] == "no-store"


def test_a_note_is_shown_once_and_only_if_it_is_ours(scene):
    browser = scene.browser("aoi")
    browser.send("/c/cup/team", do="rename", name="Yoru")
    assert "The team is now “Yoru”." in browser.get("/c/cup/team").text
    assert "The team is now" not in browser.get("/c/cup/team").text
    browser.cookies.set("note", sign_data(b"another key", {"en": "Pay here", "ja": "x"}))
    assert "Pay here" not in browser.get("/c/cup/team").text


def test_a_seal_that_was_touched_is_none():
    sealed = sign_data(b"key", {"en": "hello"})
    assert verify_signed(b"key", sealed) == {"en": "hello"}
    assert verify_signed(b"key", sealed[:-2] + "AA") is None
    assert verify_signed(b"key", "") is None
    assert verify_signed(b"other", sealed) is None
