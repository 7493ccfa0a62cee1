"""One request of one browser: who looks, in which language, with which cookies.

@router.get("/account")
def show(visit: Here) -> Response: ...
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.logins import LOGIN_DAYS, viewer_of_cookie
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import VISITOR, Viewer
from tokumei.core.text import Language, Text
from tokumei.http.headers import COOKIE, YEAR, language_of
from tokumei.http.seal import form_token, seal, unseal

NOTE_SECONDS = 120
LOGIN_SECONDS = LOGIN_DAYS * 24 * 3600


@dataclass(frozen=True)
class Note:
    """A sentence for the next page, once; `secret` is something to be copied from it."""

    text: Text
    secret: str = ""
    kind: str = "good"

    def as_json(self) -> dict[str, str]:
        """The note as plain data."""
        return {
            "en": self.text.en,
            "ja": self.text.ja,
            "secret": self.secret,
            "kind": self.kind,
        }


@dataclass
class Visit:
    """A request and what is known about it."""

    request: Request
    place: Place
    viewer: Viewer
    lang: Language
    login: str
    """The cookie of who is logged in, else empty."""
    token: str
    """What this browser's forms send along."""
    guest: str | None
    """A cookie to be set, so that the next form of somebody unknown is known again."""
    note: Note | None
    cookies: list[dict[str, Any]] = field(default_factory=list)
    """Cookies to be set by the answer."""

    @property
    def secure(self) -> bool:
        """Whether people reach the server by https."""
        return (self.place.settings.public_url or "").startswith("https:")

    @property
    def by_script(self) -> bool:
        """Whether our own script sent this, and wants a short answer."""
        return self.request.headers.get("x-script") == "yes"

    @property
    def address(self) -> str:
        """Where the browser is, for counting failed attempts."""
        return self.request.client.host if self.request.client else ""

    @property
    def next_of_login(self) -> str:
        """The query that brings one back here after logging in; nothing on forms' own pages."""
        path = self.request.url.path
        return "" if path in ("/", "/login", "/register") else "?" + urlencode({"next": path})

    def in_language(self, lang: Language) -> str:
        """The address of this page in another language."""
        asked = [(name, value) for name, value in self.request.query_params.multi_items()]
        kept = [(name, value) for name, value in asked if name != "lang"]
        return "?" + urlencode([*kept, ("lang", lang)])

    def set_login(self, value: str) -> None:
        """Begin (or, with an empty value, end) being logged in; a fresh cookie each time."""
        self._set(login_cookie(self.secure), value, LOGIN_SECONDS if value else 0)

    def leave_note(self, note: Note) -> None:
        """Show a sentence on the next page."""
        self._set("note", seal(self.place.key, note.as_json()), NOTE_SECONDS)

    def dress(self, response: Response) -> Response:
        """Put all cookies of this visit on its answer."""
        if self.guest is not None:
            self._set("guest", self.guest, YEAR)
        if self.note is not None and response.status_code == 200:
            self._set("note", "", 0)
        if self.request.query_params.get("lang") == self.lang:
            self._set(COOKIE, self.lang, YEAR)
        for cookie in self.cookies:
            response.set_cookie(**cookie)
        return response

    def _set(self, name: str, value: str, seconds: int) -> None:
        self.cookies.append(
            {
                "key": name,
                "value": value,
                "max_age": seconds,
                "path": "/",
                "httponly": True,
                "samesite": "lax",
                "secure": self.secure,
            }
        )


def login_cookie(secure: bool) -> str:
    """The cookie's name; browsers take `__Host-` only from this very host, by https."""
    return "__Host-login" if secure else "login"


def open_visit(request: Request) -> Visit:
    """What is known about a request."""
    place: Place = request.app.state.place
    secure = (place.settings.public_url or "").startswith("https:")
    cookie = request.cookies.get(login_cookie(secure), "")
    viewer = viewer_of_cookie(place, cookie)
    login = "" if viewer == VISITOR else cookie
    known = request.cookies.get("guest", "")
    guest = known or secrets.token_urlsafe(24)
    return Visit(
        request=request,
        place=place,
        viewer=viewer,
        lang=language_of(request),
        login=login,
        token=form_token(place.key, login or guest),
        guest=None if known or login else guest,
        note=_note(place.key, request.cookies.get("note", "")),
    )


def _note(key: bytes, value: str) -> Note | None:
    found = unseal(key, value) if value else None
    if found is None:
        return None
    return Note(Text(found["en"], found["ja"]), found["secret"], found["kind"])


Here = Annotated[Visit, Depends(open_visit)]
