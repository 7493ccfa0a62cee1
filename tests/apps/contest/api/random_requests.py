"""Requests that Schemathesis makes up from the OpenAPI document, right ones and wrong ones.

Not among the tests, because every run of any test would wait until Schemathesis is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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

from apps.contest.played import Played
from apps.contest.served_api import serving
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.api.app import PREFIX, make_api_app
from tokumei.apps.contest.store.server_home import prepare_home

ROLES = ("ant", "organiser", "bee", "cat", "visitor")
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
FEW = 8
"""So many operations have nothing that could be wrong."""
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

    @classmethod
    @contextmanager
    def serving(cls, folder: Path) -> Iterator[Asked]:
        """A contest that was played a while, served from a folder."""
        played = Played.make(prepare_home(folder / "home"), folder)
        document = make_api_app(played.place).openapi()
        found = schemathesis.openapi.from_dict(document).get_all_operations()
        load_all_checks()
        with serving(played.place) as running:
            yield cls(running.address + PREFIX, played, [one.ok() for one in found], {})
        played.close()

    def ask(self, requests: int) -> None:
        """At least so many requests, the same number to every operation."""
        each = -(-requests // (len(self.operations) * len(MODES) - FEW))
        for operation in self.operations:
            for mode in MODES:
                # Where nothing is sent, nothing wrong can be.
                with suppress(Unsatisfiable):
                    self._ask_process(operation, mode, each)

    def _ask_process(self, operation: Any, mode: GenerationMode, times: int) -> None:
        ids = sorted(self.played.entries.values())

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
            token = self.played.tokens.get(role)
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            if deep and case.headers:
                case.headers.pop("Authorization", None)
            response = case.call(base_url=self.url, headers=headers, timeout=HUNG_SECONDS)
            status = response.status_code
            self.statuses[status] = self.statuses.get(status, 0) + 1
            case.validate_response(response, checks=CHECKS)

        ask()
