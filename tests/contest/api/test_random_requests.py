"""Requests that Schemathesis makes up from the OpenAPI document, right ones and wrong ones.

TOKUMEI_REQUESTS=10000 asks that many (`make fuzz`); every answer must be one of those documented.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from contest.played import Played
from contest.served_api import serving
from tokumei.contest.api.app import PREFIX, api_app
from tokumei.contest.store.home import prepare_home

REQUESTS = int(os.environ.get("TOKUMEI_REQUESTS", "250"))
ROLES = ("ant", "organiser", "bee", "cat", "visitor")
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@dataclass
class Asked:
    """A running server, what it offers, and what was answered."""

    url: str
    played: Played
    operations: list[Any]
    statuses: dict[int, int]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("random")
    played = Played.make(prepare_home(folder / "home"), folder)
    document = api_app(played.place).openapi()
    found = schemathesis.openapi.from_dict(document).get_all_operations()
    load_all_checks()
    with serving(played.place) as url:
        yield Asked(url + PREFIX, played, [one.ok() for one in found], {})
    played.close()


@pytest.mark.long
def test_random_requests_never_break_the_server(asked: Asked) -> None:
    few = 8  # have nothing that could be wrong
    each = -(-REQUESTS // (len(asked.operations) * len(MODES) - few))
    for operation in asked.operations:
        for mode in MODES:
            # Where nothing is sent, nothing wrong can be.
            with suppress(Unsatisfiable):
                _ask(asked, operation, mode, each)
    print(dict(sorted(asked.statuses.items())))
    assert sum(asked.statuses.values()) >= REQUESTS
    assert not [status for status in asked.statuses if status >= 500]
    assert httpx.get(asked.url + "/health").json()["ok"]


def _ask(asked: Asked, operation: Any, mode: GenerationMode, times: int) -> None:
    ids = sorted(asked.played.entries.values())

    @settings(
        max_examples=times,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        role=st.sampled_from(ROLES),
        deep=st.sampled_from([True, True, False]),
        entry=st.sampled_from(ids),
    )
    def ask(case: Any, role: str, deep: bool, entry: str) -> None:
        if deep and case.path_parameters:
            known = {"slug": "cup", "entry_id": entry, "target_id": entry, "key": "original"}
            case.path_parameters.update(
                {name: known[name] for name in case.path_parameters if name in known}
            )
        token = asked.played.tokens.get(role)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if deep and case.headers:
            case.headers.pop("Authorization", None)
        response = case.call(base_url=asked.url, headers=headers, timeout=60)
        status = response.status_code
        asked.statuses[status] = asked.statuses.get(status, 0) + 1
        case.validate_response(response, checks=CHECKS)

    ask()
