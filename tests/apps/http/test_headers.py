"""Tests of tokumei.apps.http.headers."""

from __future__ import annotations

import httpx

from apps.http.middleware_fixtures import client as client
from apps.http.middleware_fixtures import running as running
from tokumei.apps.http.headers import security_headers


def test_a_good_question_is_answered_with_all_headers(client: httpx.Client) -> None:
    response = client.post("/ask", json={"name": "aoi"})
    assert response.json() == {"name": "aoi"}
    for name, value in security_headers(https=True):
        assert response.headers[name.decode()] == value.decode()
    assert "connection" not in response.headers
