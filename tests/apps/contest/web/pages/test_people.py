"""Tests of tokumei.apps.contest.web.pages.people."""

from __future__ import annotations

import pytest

from apps.contest.web.forms_and_cookies_helpers import PASSWORD, registered
from tokumei.apps.contest.web.pages.people import safe_local_path


@pytest.mark.parametrize(
    "asked",
    ["https://evil.test/", "//evil.test", "/\\evil.test", "\\\\evil.test", "javascript:x", "/\t/x"],
)
def test_nobody_is_sent_elsewhere_after_logging_in(scene, asked):
    assert safe_local_path(asked) == "/"
    registered(scene)
    answer = scene.browser().send("/login", name="Eri", password=PASSWORD, next=asked)
    assert answer.headers["location"] == "/"
    assert asked not in scene.browser().get("/login", params={"next": asked}).text
