"""Tests of tokumei.apps.contest.web.request_context."""

from __future__ import annotations

from tokumei.apps.contest.web.request_context import FORM_BYTES


def test_a_body_that_is_too_large_is_stopped(scene):
    browser = scene.browser("aoi")
    token = browser.token("/c/cup/team")
    answer = browser.post("/c/cup/team", data={"token": token, "name": "x" * (FORM_BYTES + 1)})
    assert answer.status_code == 413
