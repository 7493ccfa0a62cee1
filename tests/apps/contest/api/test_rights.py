"""Every route × everybody: who gets what, and that nothing private leaks into any answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from apps.contest.app_routes import routes_of
from apps.contest.played import ANONYMIZING, ATTACKING, OVER, PASSWORD, START, Played, contest_zip
from apps.contest.served_api import serving
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.api.app import PREFIX, make_api_app
from tokumei.apps.contest.services.accounts import create_account, create_invite
from tokumei.apps.contest.services.authentication import create_token
from tokumei.apps.contest.services.contests import create_contest
from tokumei.apps.contest.store.server_home import prepare_home

ROLES = ("visitor", "cat", "bee", "ant", "organiser")
"""Nobody; somebody without a team; captains of another and of the own team; the organiser."""
C = "/contests/{slug}"
A = f"{C}/admin"
LOOK_ADMIN = (401, 403, 403, 403, 200)
OWN = (401, 404, 404, 200, 200)
INSIDE = (401, 403, 200, 200, 200)
ALL = (200, 200, 200, 200, 200)
WHY = {"reason": "because"}


@dataclass(frozen=True)
class Case:
    """A route, what is sent, and the status for each role."""

    route: str
    expected: tuple[int, int, int, int, int]
    fill: dict[str, Any] = field(default_factory=dict)
    """Parts of the path: names of entries of the played contest, or values."""
    json: Any = None
    file: str | None = None
    at: datetime = ATTACKING


CASES = (
    Case("GET /openapi.json", ALL),
    Case("GET /health", ALL),
    Case("POST /register", (403, 403, 403, 403, 403), json={"name": "new", "password": "x" * 12}),
    Case("POST /tokens", (401,) * 5, json={"name": "nobody", "password": "x" * 12}),
    Case("GET /tokens", (401, 200, 200, 200, 200)),
    Case("DELETE /tokens/{token_id}", (401, 404, 404, 404, 404), {"token_id": 999}),
    Case("GET /me", (401, 200, 200, 200, 200)),
    Case("POST /me/close", (401, 403, 403, 403, 403), json={"password": "not that one"}),
    Case("GET /contests", ALL),
    Case("POST /contests", (401, 403, 403, 403, 409), file="contest.zip"),
    Case(f"GET {C}", ALL),
    Case(f"GET {C}/data/{{key}}", INSIDE, {"key": "original"}),
    Case(f"GET {C}/attachments", ALL),
    Case(f"GET {C}/attachments/{{name}}", (404,) * 5, {"name": "rules.pdf"}),
    Case(f"GET {C}/leaderboard", ALL),
    Case(f"GET {C}/matrix", ALL),
    Case(f"GET {C}/points", ALL),
    Case(f"POST {C}/teams", (401, 201, 409, 409, 403), json={"name": "Cats"}),
    Case(f"POST {C}/teams/join", (401, 403, 403, 403, 403), json={"code": "AAAA-BBBB-CCCC-DDDD"}),
    Case(f"GET {C}/team", (401, 200, 200, 200, 404)),
    Case(f"PUT {C}/team", (401, 409, 409, 200, 403), json={"name": "ants!"}),
    Case(f"POST {C}/team/invites", (401, 201, 201, 201, 403), json={"uses": 1}),
    Case(
        f"POST {C}/team/members/{{account_id}}/captain",
        (401, 404, 404, 200, 403),
        {"account_id": "ant"},
    ),
    Case(
        f"DELETE {C}/team/members/{{account_id}}", (401, 404, 404, 200, 403), {"account_id": "ann"}
    ),
    Case(f"POST {C}/team/leave", (401, 409, 409, 409, 403)),
    Case(f"POST {C}/submissions", (401, 201, 201, 201, 403), file="A.csv", at=ANONYMIZING),
    Case(f"GET {C}/submissions", (401, 200, 200, 200, 403)),
    Case(f"GET {C}/submissions/{{entry_id}}", OWN, {"entry_id": "rejected"}),
    Case(
        f"DELETE {C}/submissions/{{entry_id}}/publish",
        (401, 404, 404, 409, 403),  # its team may, but it was attacked
        {"entry_id": "published"},
        at=ANONYMIZING,
    ),
    Case(
        f"POST {C}/submissions/{{entry_id}}/publish",
        (401, 404, 404, 200, 403),
        {"entry_id": "published"},
        at=ANONYMIZING,
    ),
    Case(
        f"POST {C}/submissions/{{entry_id}}/cancel",
        (401, 404, 404, 200, 403),
        {"entry_id": "queued"},
    ),
    Case(f"GET {C}/targets", (401, 200, 200, 200, 200)),
    Case(f"GET {C}/targets/{{target_id}}", (401, 200, 200, 200, 200), {"target_id": "published"}),
    Case(
        f"GET {C}/targets/{{target_id}}/public", (401, 404, 404, 200, 200), {"target_id": "scored"}
    ),
    Case(
        f"POST {C}/targets/{{target_id}}/attacks",
        (401, 201, 201, 403, 403),
        {"target_id": "published"},
        file="guess.zip",
    ),
    Case(f"GET {C}/attacks", (401, 200, 200, 200, 403)),
    Case(f"GET {C}/attacks/{{entry_id}}", OWN, {"entry_id": "attack"}),
    Case(f"GET {C}/news", ALL),
    Case(f"POST {C}/questions", (401, 201, 201, 201, 201), json={"text": "May we?"}),
    Case(f"POST {A}/news", (401, 403, 403, 403, 201), json={"en": "Good luck"}),
    Case(
        f"POST {A}/questions/{{notice_id}}/answer",
        (401, 403, 403, 403, 404),
        {"notice_id": 999},
        json={"en": "Yes."},
    ),
    Case(f"GET {A}/organisers", LOOK_ADMIN),
    Case(f"POST {A}/organisers", (401, 403, 403, 403, 404), json={"name": "nobody at all"}),
    Case(f"DELETE {A}/organisers/{{account_id}}", (401, 403, 403, 403, 404), {"account_id": 999}),
    Case(
        f"PUT {A}/stage", (401, 403, 403, 403, 409), json={"stage": "draft", "reason": "too early"}
    ),
    Case(f"GET {A}/collusion", LOOK_ADMIN),
    Case(f"GET {A}/queue", LOOK_ADMIN),
    Case(f"POST {A}/queue/{{job_id}}/retry", (401, 403, 403, 403, 409), {"job_id": 1}),
    Case(f"GET {A}/judge", LOOK_ADMIN),
    Case(f"POST {A}/judge/put-back", LOOK_ADMIN),
    Case(f"POST {A}/judge/use", (401, 403, 403, 403, 409)),
    Case(f"GET {A}/teams", LOOK_ADMIN),
    Case(f"POST {A}/teams/{{team_id}}", LOOK_ADMIN, {"team_id": 1}, json=WHY | {"hidden": False}),
    Case(f"GET {A}/entries", LOOK_ADMIN),
    Case(
        f"POST {A}/entries/{{entry_id}}/withdraw", LOOK_ADMIN, {"entry_id": "running"}, json=WHY
    ),
    Case(
        f"POST {A}/entries/{{entry_id}}/restore", LOOK_ADMIN, {"entry_id": "running"}, json=WHY
    ),
    Case(
        f"PUT {A}/phases/{{number}}",
        LOOK_ADMIN,
        {"number": 1},
        json=WHY
        | {"starts": (START + timedelta(days=7)).isoformat(), "ends": OVER.isoformat()},
    ),
    Case(f"PUT {A}/settings", LOOK_ADMIN, json=WHY | {"feedback": "banded"}),
    Case(f"POST {A}/delete", (401, 403, 403, 403, 409), json=WHY),
    Case(f"POST {A}/rejudge", (401, 403, 403, 403, 202)),
    Case(f"POST {A}/recheck", (401, 403, 403, 403, 202)),
    Case(f"GET {A}/rejudge", LOOK_ADMIN),
    Case(f"GET {A}/rejudge/{{run}}", (401, 403, 403, 403, 404), {"run": "a" * 20}),
    Case(f"POST {A}/rejudge/{{run}}/apply", (401, 403, 403, 403, 404), {"run": "a" * 20}),
    Case(f"GET {A}/audit", LOOK_ADMIN),
    Case(f"GET {A}/export", LOOK_ADMIN),
    Case(f"POST {A}/resets", (401, 403, 403, 403, 404), json={"name": "nobody at all"}),
    Case(f"GET {A}/invites", LOOK_ADMIN),
    Case(f"POST {A}/invites", (401, 403, 403, 403, 201), json={}),
    Case(f"DELETE {A}/invites/{{invite_id}}", (401, 403, 403, 403, 204), {"invite_id": 1}),
)  # fmt: skip
# Mutations happen in this order on one contest; the last one asked is who may.
SECRETS_OF_ANTS = ("rejected", "failed", "cancelled", "received", "withdrawn", "scored", "attack")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("rights")
    made = Played.make(prepare_home(folder / "home"), folder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def client(played: Played) -> Iterator[httpx.Client]:
    with (
        serving(played.place) as running,
        httpx.Client(base_url=running.address + PREFIX, timeout=HUNG_SECONDS) as client,
    ):
        yield client


def test_every_route_is_in_the_table(played: Played) -> None:
    found = routes_of(make_api_app(played.place)) - {"HEAD /openapi.json"}
    assert {case.route for case in CASES} == found


def test_an_organiser_of_another_contest_is_nobody_here(
    played: Played, client: httpx.Client, tmp_path: Path
) -> None:
    """Refused before anything is done; one of this contest alone looks at what organisers see."""
    organiser = played.viewers["organiser"]
    create_contest(played.place, organiser, contest_zip(tmp_path, slug="elsewhere"))
    for name, slug in (("eve", "elsewhere"), ("hal", "cup")):
        code = create_invite(played.place, organiser, "organiser", slug=slug).code
        played.viewers[name] = create_account(played.place, name, PASSWORD, invite=code)
        played.tokens[name] = create_token(played.place, played.viewers[name], "test").token
    for case in CASES:
        if case.route.partition(" ")[2].startswith(A) or case.route == "POST /contests":
            assert _ask(played, client, case, "eve", tmp_path).status_code == 403, case.route
        if case.route.startswith(f"GET {A}"):
            status = _ask(played, client, case, "hal", tmp_path).status_code
            assert status == case.expected[-1], case.route
    created = next(case for case in CASES if case.route == "POST /contests")
    assert _ask(played, client, created, "hal", tmp_path).status_code == 403


@pytest.mark.long
def test_everybody_gets_what_the_table_says(
    played: Played, client: httpx.Client, tmp_path: Path
) -> None:
    """One test, because the cases follow each other: two workers would each see half of them."""
    for number, case in enumerate(CASES):
        folder = tmp_path / str(number)
        folder.mkdir()
        _require_table(played, client, folder, case)


def _require_table(played: Played, client: httpx.Client, folder: Path, case: Case) -> None:
    played.clock.to(case.at)
    got = [_ask(played, client, case, role, folder) for role in ROLES]
    assert tuple(response.status_code for response in got) == case.expected, case.route
    for role, response in zip(ROLES, got, strict=True):
        if role not in ("ant", "organiser"):
            _require_discretion(played, response)
        if response.status_code >= 400:
            told = response.json()
            assert (told["ok"], told["status"]) == (False, response.status_code)
            assert told["message_en"] != told["message_ja"]


@pytest.mark.long
def test_a_token_that_is_no_token_is_refused_everywhere(
    played: Played, client: httpx.Client
) -> None:
    for case in CASES:
        if case.route in ("GET /openapi.json", "GET /health", "POST /register", "POST /tokens"):
            continue
        method, path = _address(played, case)
        response = client.request(method, path, headers={"authorization": "Bearer tkm_wrong"})
        assert response.status_code == 401, case.route
        assert response.headers["www-authenticate"] == "Bearer"
    for header in ("Bearer", "Basic YTpi", "tkm_wrong", f"Bearer {'x' * 9000}"):
        assert client.get("/contests", headers={"authorization": header}).status_code == 401


def _ask(
    played: Played, client: httpx.Client, case: Case, role: str, folder: Path
) -> httpx.Response:
    method, path = _address(played, case)
    headers = {"authorization": f"Bearer {played.tokens[role]}"} if role != "visitor" else {}
    if case.file is None:
        return client.request(method, path, json=case.json, headers=headers)
    content = contest_zip(folder).read_bytes() if case.file == "contest.zip" else b"x\n"
    return client.request(method, path, files={"file": (case.file, content)}, headers=headers)


def _address(played: Played, case: Case) -> tuple[str, str]:
    method, path = case.route.split(" ")
    filled = {name: _value(played, value) for name, value in case.fill.items()}
    return method, path.format(slug="cup", **filled)


def _value(played: Played, value: Any) -> Any:
    if value in played.viewers:
        return played.viewers[value].account_id
    return played.entries.get(value, value)


def _require_discretion(played: Played, response: httpx.Response) -> None:
    """Nothing of the Ants' unpublished entries: ids, labels, faults, scores."""
    private = [played.entries[name] for name in SECRETS_OF_ANTS]
    for secret in [
        *private,
        "secret queued",
        "secret failed",
        "line 2: bad",
        "0.9,",
        'total": 0.5',
    ]:
        assert secret not in response.text, secret
