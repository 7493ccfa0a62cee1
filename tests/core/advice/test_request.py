"""Tests of tokumei.core.advice.request."""

from __future__ import annotations

from dataclasses import replace

from tokumei.advice import Request
from tokumei.core.advice.adviser import hash_request


def test_equal_requests_have_equal_ids_and_survive_json() -> None:
    one = Request(
        "tables", ({"method": "local", "k": 5},), {"a": "drop"}, "p", ("a",), {"sep": ";"}
    )
    again = Request.from_json(one.as_json())
    assert again == one
    assert hash_request(again) == hash_request(one)
    assert hash_request(one) != hash_request(replace(one, person=""))
