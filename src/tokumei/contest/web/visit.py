"""One request of one browser: who looks, in which language, with which cookies; what a form sent.

    @router.post("/login")
    def log_in(visit: Here, form: Posted) -> Response:
        form["name"]

A form is stopped while it arrives if it is too large, and refused without its token.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode

from fastapi import Depends
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive

from tokumei.contest.api.forms import SILENCE_SECONDS, STOPPED
from tokumei.contest.desk.logins import LOGIN_DAYS, viewer_of_cookie
from tokumei.contest.desk.place import VISITOR, Place, Viewer
from tokumei.contest.desk.roles import entering
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Language, Text
from tokumei.http.headers import COOKIE, YEAR, language_of
from tokumei.http.pages import Looking
from tokumei.http.refusals import NotAllowed, TooLarge, TooSlow, Wrong, too_large
from tokumei.http.seal import form_token, same, seal, unseal

Kind = TypeVar("Kind")
Given = ParamSpec("Given")
FORM_BYTES = 1_000_000
NOTE_SECONDS = 120
LOGIN_SECONDS = LOGIN_DAYS * 24 * 3600
OLD_FORM = Text(
    "this form is too old or comes from another site; please go back, reload and try again",
    "フォームの期限が切れたか、別のサイトから送られました。前のページを再読み込みしてください",
)


@dataclass(frozen=True)
class Note:
    """A sentence for the next page, once; `secret` is something to be copied from it."""

    en: str
    ja: str
    secret: str = ""
    kind: str = "good"


@dataclass
class Visit(Looking):
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
    cookies: list[tuple[str, str, int]] = field(default_factory=list)
    """To be set by the answer: name, value, seconds."""
    refusal: TokumeiError | None = None
    """Why what was asked by a form was not done: its page shows that."""
    typed: Form | None = None
    """The form that was refused."""

    def tried(self, name: str) -> str:
        """What a field of the form that was refused held."""
        return "" if self.typed is None else self.typed[name]

    @property
    def secure(self) -> bool:
        """Whether people reach the server by https."""
        return self.place.home.settings.https

    @property
    def server(self) -> str:
        """The server's address as people reach it, also from behind a proxy."""
        return self.place.home.settings.public_url or str(self.request.base_url).rstrip("/")

    def ask(
        self,
        what: Callable[Concatenate[Place, Viewer, Given], Kind],
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Kind:
        """What the desk does for, or tells to, who looks here."""
        return what(self.place, self.viewer, *given, **named)

    @property
    def next_of_login(self) -> str:
        """The query that brings one back here after logging in; nothing on forms' own pages."""
        path = self.request.url.path
        return "" if path in ("/", "/login", "/register") else "?" + urlencode({"next": path})

    def set_login(self, value: str) -> None:
        """Begin (or, with an empty value, end) being logged in; a fresh cookie each time."""
        self._set(login_cookie(self.secure), value, LOGIN_SECONDS if value else 0)

    def leave_note(self, note: Note) -> None:
        """Show a sentence on the next page."""
        self._set("note", seal(self.place.key, vars(note)), NOTE_SECONDS)

    def dress(self, response: Response) -> Response:
        """Put all cookies of this visit on its answer."""
        if self.guest is not None:
            self._set("guest", self.guest, YEAR)
        if self.note is not None and response.status_code == 200:
            self._set("note", "", 0)
        if self.request.query_params.get("lang") == self.lang:
            self._set(COOKIE, self.lang, YEAR)
        for cookie in self.cookies:
            response.set_cookie(*cookie, httponly=True, samesite="lax", secure=self.secure)
        return response

    def _set(self, name: str, value: str, seconds: int) -> None:
        self.cookies.append((name, value, seconds))


def login_cookie(secure: bool) -> str:
    """The cookie's name; browsers take `__Host-` only from this very host, by https."""
    return "__Host-login" if secure else "login"


def open_visit(request: Request) -> Visit:
    """What is known about a request."""
    place: Place = request.app.state.place
    address = request.client.host if request.client else ""
    cookie = request.cookies.get(login_cookie(place.home.settings.https), "")
    viewer = replace(viewer_of_cookie(place, cookie), address=address)
    login = "" if viewer == VISITOR else cookie
    known = request.cookies.get("guest", "")
    guest = known or secrets.token_urlsafe(24)
    kept = request.cookies.get("note", "")
    found = unseal(place.key, kept, seconds=NOTE_SECONDS) if kept else None
    return Visit(
        request=request,
        place=place,
        viewer=viewer,
        lang=language_of(request),
        login=login,
        token=form_token(place.key, login or guest),
        guest=None if known or login else guest,
        note=None if found is None else Note(**found),
    )


def entered(request: Request) -> Visit:
    """The same, with the rights of the contest that is asked for."""
    visit = open_visit(request)
    slug = request.path_params.get("slug")
    if slug is not None:
        visit.viewer = entering(visit.place, visit.viewer, slug)
    return visit


Here = Annotated[Visit, Depends(entered)]


@dataclass(frozen=True)
class Form:
    """The fields of a form."""

    data: FormData

    def __getitem__(self, name: str) -> str:
        """A field's text; empty if it was not sent."""
        value = self.data.get(name)
        return value if isinstance(value, str) else ""

    def files(self, name: str) -> list[UploadFile]:
        """The files of a field; an empty choice is none."""
        found = self.data.getlist(name)
        return [file for file in found if isinstance(file, UploadFile) and file.filename]

    def number(self, name: str) -> int:
        """A field's whole number."""
        try:
            return int(self[name])
        except ValueError:
            raise Wrong(f"{name} must be a number", f"{name} は数で書いてください") from None

    def number_or(self, name: str, otherwise: int) -> int:
        """A field's whole number; the other one where it holds none."""
        return int(self[name]) if self[name].isdecimal() and len(self[name]) < 9 else otherwise

    def chosen(self, choices: Mapping[str, Kind], name: str = "do") -> Kind:
        """What the button that was pressed stands for."""
        if self[name] not in choices:
            raise Wrong("nothing to do was chosen", "操作が選ばれていません")
        return choices[self[name]]


async def posted(request: Request, visit: Here) -> Form:
    """A small form."""
    return await read_form(request, visit)


async def read_form(
    request: Request, visit: Visit, *, most: Callable[[], int] = lambda: 0, files: int = 1
) -> Form:
    """A form with files of at most `most()` bytes together; that may refuse it unread."""
    # Browsers tell where a form comes from; older ones leave it to the token.
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise NotAllowed(OLD_FORM)
    limited = _Limited(request)
    try:
        limited.allow(await run_in_threadpool(most))
        data = await Request(request.scope, limited).form(max_files=files, max_fields=50)
        for name, value in data.multi_items():  # a sender's own encoding may bring half characters
            (name + (value if isinstance(value, str) else value.filename or "")).encode()
    except (MultiPartException, HTTPException, UnicodeError):
        raise Wrong("this form cannot be read", "フォームを読み取れません") from None
    form = Form(data)
    if not same(form["token"], visit.token):
        raise NotAllowed(OLD_FORM)
    return form


class _Limited:
    """`receive` that stops a body that is too large or does not go on."""

    def __init__(self, request: Request) -> None:
        self._receive: Receive = request.receive
        self._told = request.headers.get("content-length", "")
        self._most = self._left = 0

    def allow(self, most: int) -> None:
        """So many bytes of files, and a little for the fields."""
        self._most, self._left = most, most + FORM_BYTES
        if self._told.isdigit() and int(self._told) > self._left:
            raise self._too_large()

    async def __call__(self) -> Message:
        try:
            message = await asyncio.wait_for(self._receive(), SILENCE_SECONDS)
        except TimeoutError:
            raise TooSlow(STOPPED) from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise self._too_large()
        return message

    def _too_large(self) -> TooLarge:
        return too_large(self._most or FORM_BYTES)


Posted = Annotated[Form, Depends(posted)]
