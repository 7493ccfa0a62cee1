"""Tests of tokumei.apps.contest.api.multipart."""

from __future__ import annotations

import httpx

from apps.contest.api.uploads_fixtures import URL, error
from apps.contest.api.uploads_fixtures import in_time as in_time
from tokumei.apps.contest.api import multipart


def test_much_text_in_a_form_is_refused(ant: httpx.Client) -> None:
    files = {"file": ("A.csv", b"x")}
    error(ant.post(URL, files=files, data={"label": "x" * multipart.MOST_FIELDS * 2}), 413)
    error(ant.post(URL, files=files, data={"label": "x" * 101}), 422)
