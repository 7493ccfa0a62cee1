"""HTTP client of a contest server.

    with ContestClient("https://contest.example", token="tkm_…") as client:
        entry = client.submit("cup", Path("A.csv"), label="k = 5")
        entry = client.wait("cup", entry["id"])
        client.leaderboard("cup")["rows"]

Answers are the JSON of the API; a refusal of the server is raised as `RemoteRefusal`. If the server
limits the rate, the client repeats the request after the time that the server names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, TypedDict, Unpack

import httpx

from tokumei.apps.contest.client.errors import request_with_retries, unreachable_error
from tokumei.apps.contest.client.local_files import pack_contest
from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import InputError

API_PREFIX = "/api/v1"
SETTLED_STATES = ("rejected", "scored", "failed", "cancelled", "withdrawn")
POLL_SECONDS = 1.0
Json: TypeAlias = dict[str, Any]
"""An answer of the server: a view of `apps/contest/services` as plain data."""
Content: TypeAlias = bytes | Path
LOCAL_HOSTS = ("localhost", "127.0.0.1")


class RequestBody(TypedDict, total=False):
    """What a request may carry."""

    json: object
    data: Mapping[str, str]
    files: Sequence[tuple[str, tuple[str, bytes | BinaryIO]]]


def add_scheme(server: str) -> str:
    """A server's address; where no scheme is given https, on this machine http."""
    if "://" not in server:
        scheme = "http" if server.partition(":")[0] in LOCAL_HOSTS else "https"
        server = f"{scheme}://{server}"
    return server.rstrip("/")


class ContestClient:
    """A person's connection to a server."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 120.0,
        transport: httpx.BaseTransport | None = None,
        waits: Callable[[int], None] = lambda seconds: None,
    ) -> None:
        self.url = add_scheme(url)
        self.token = token
        self._on_wait = waits
        self._http = httpx.Client(
            base_url=self.url + API_PREFIX, timeout=timeout, transport=transport
        )

    def __enter__(self) -> ContestClient:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connections."""
        self._http.close()

    def request(
        self, method: str, path: str, key: str | None = None, **parts: Unpack[RequestBody]
    ) -> httpx.Response:
        """A request of the API; RemoteRefusal where it is refused. `key` lets it be taken once."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"idempotency-key": key} if key is not None else {}
        try:
            return request_with_retries(
                lambda: self._http.request(method, path, headers=headers, **parts), self._on_wait
            )
        except (httpx.TransportError, httpx.InvalidURL, ValueError) as error:
            raise unreachable_error(self.url, error) from None

    def _request_json(
        self, method: str, path: str, key: str | None = None, **parts: Unpack[RequestBody]
    ) -> Json:
        try:
            body: Json = self.request(method, path, key, **parts).json()
        except ValueError as error:
            raise unreachable_error(self.url, error) from None
        return body

    def register(self, name: str, password: str, invite: str | None = None) -> Json:
        """A new account."""
        body = {"name": name, "password": password, "invite": invite}
        return self._request_json("POST", "/register", json=body)

    def new_token(self, name: str, password: str, label: str = "") -> Json:
        """A new token, used from now on."""
        body = {"name": name, "password": password, "label": label}
        token_data = self._request_json("POST", "/tokens", json=body)
        self.token = token_data["token"]
        return token_data

    def me(self) -> Json:
        """Who one is."""
        return self._request_json("GET", "/me")

    def _get_list(self, path: str, name: str) -> list[Json]:
        items: list[Json] = self._request_json("GET", path)[name]
        return items

    def contests(self) -> list[Json]:
        """All contests."""
        return self._get_list("/contests", "contests")

    def contest(self, slug: str) -> Json:
        """One contest."""
        return self._request_json("GET", f"/contests/{slug}")

    def create_contest(self, source: Path, *, draft: bool = False) -> Json:
        """A contest from a folder or a zip (organisers); a draft is seen by organisers alone."""
        name, content = pack_contest(source)
        path = "/contests?draft=true" if draft else "/contests"
        return self._request_json("POST", path, files=[("file", (name, content))])

    def news(self, slug: str) -> list[Json]:
        """Announcements and questions, the newest first."""
        return self._get_list(f"/contests/{slug}/news", "news")

    def ask(self, slug: str, text: str) -> Json:
        """Ask the organisers."""
        return self._request_json("POST", f"/contests/{slug}/questions", json={"text": text})

    def data(self, slug: str, key: str) -> bytes:
        """A data file of a contest."""
        return self.request("GET", f"/contests/{slug}/data/{key}").content

    def create_team(self, slug: str, name: str, code: str | None = None) -> Json:
        """A new team."""
        return self._request_json(
            "POST", f"/contests/{slug}/teams", json={"name": name, "code": code}
        )

    def join(self, slug: str, code: str) -> Json:
        """Join a team by its code."""
        return self._request_json("POST", f"/contests/{slug}/teams/join", json={"code": code})

    def team(self, slug: str) -> Json:
        """One's team."""
        return self._request_json("GET", f"/contests/{slug}/team")

    def team_code(self, slug: str, *, uses: int = 10) -> Json:
        """A code to join one's team."""
        return self._request_json("POST", f"/contests/{slug}/team/invites", json={"uses": uses})

    def submit(
        self,
        slug: str,
        content: Content,
        *,
        name: str | None = None,
        label: str = "",
        key: str | None = None,
    ) -> Json:
        """Upload a release; `key`: taken once, however often it is sent."""
        file_name = name or (content.name if isinstance(content, Path) else "A.csv")
        return self._upload_files(f"/contests/{slug}/submissions", {file_name: content}, label, key)

    def attack(
        self,
        slug: str,
        target: str,
        files: Mapping[str, Content],
        *,
        label: str = "",
        key: str | None = None,
    ) -> Json:
        """Upload guesses: one file or zip, or all guess files by name."""
        return self._upload_files(f"/contests/{slug}/targets/{target}/attacks", files, label, key)

    def entries(self, slug: str) -> list[Json]:
        """One's team's releases, the newest first."""
        return self._get_list(f"/contests/{slug}/submissions", "entries")

    def attacks(self, slug: str) -> list[Json]:
        """One's team's attacks, the newest first."""
        return self._get_list(f"/contests/{slug}/attacks", "entries")

    def entry(self, slug: str, entry_id: str, *, kind: str = "submissions") -> Json:
        """A release; an attack with `kind="attacks"`."""
        return self._request_json("GET", f"/contests/{slug}/{kind}/{entry_id}")

    def wait(
        self,
        slug: str,
        entry_id: str,
        *,
        seconds: float | None = None,
        seen: Callable[[Json], None] = lambda entry: None,
    ) -> Json:
        """An entry once it is settled, or when the time is over; `seen` gets every look."""
        until = None if seconds is None else time.monotonic() + seconds
        kind = self.kind_of(slug, entry_id)
        while True:
            entry = self.entry(slug, entry_id, kind=kind)
            seen(entry)
            over = until is not None and time.monotonic() >= until
            if over or entry["state"] in SETTLED_STATES:
                return entry
            time.sleep(POLL_SECONDS)

    def kind_of(self, slug: str, entry_id: str) -> str:
        """Whether an entry is among the releases ("submissions") or the attacks ("attacks")."""
        attack_ids = {entry["id"] for entry in self.attacks(slug)}
        return "attacks" if entry_id in attack_ids else "submissions"

    def publish(self, slug: str, entry_id: str) -> Json:
        """Choose a release to be ranked and attacked."""
        return self._request_json("POST", f"/contests/{slug}/submissions/{entry_id}/publish")

    def unpublish(self, slug: str, entry_id: str) -> Json:
        """Take a choice back."""
        return self._request_json("DELETE", f"/contests/{slug}/submissions/{entry_id}/publish")

    def cancel(self, slug: str, entry_id: str) -> Json:
        """Take back an upload that waits."""
        return self._request_json("POST", f"/contests/{slug}/submissions/{entry_id}/cancel")

    def targets(self, slug: str) -> list[Json]:
        """Published releases."""
        return self._get_list(f"/contests/{slug}/targets", "targets")

    def public(self, slug: str, target: str) -> bytes:
        """S of a published release."""
        return self.request("GET", f"/contests/{slug}/targets/{target}/public").content

    def leaderboard(self, slug: str) -> Json:
        """The leaderboard."""
        return self._request_json("GET", f"/contests/{slug}/leaderboard")

    def matrix(self, slug: str) -> Json:
        """Attackers × defenders."""
        return self._request_json("GET", f"/contests/{slug}/matrix")

    def admin(self, method: str, slug: str, path: str, **parts: Unpack[RequestBody]) -> Json:
        """A request of the organisers' part: admin("GET", "cup", "queue")."""
        return self._request_json(method, f"/contests/{slug}/admin/{path}", **parts)

    def _upload_files(
        self, path: str, files: Mapping[str, Content], label: str, key: str | None
    ) -> Json:
        with ExitStack() as stack:
            parts = [
                ("file", (name, _open_content(stack, content))) for name, content in files.items()
            ]
            return self._request_json("POST", path, key, files=parts, data={"label": label})


def _open_content(stack: ExitStack, content: Content) -> bytes | BinaryIO:
    """A file is sent as it is read, not held whole."""
    if isinstance(content, bytes):
        return content
    try:
        return stack.enter_context(content.open("rb"))
    except OSError as error:
        reason = translate_system_error(error)
        raise InputError("{path}: {reason}", path=content, reason=reason) from None
