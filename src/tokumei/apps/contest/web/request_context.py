"""Context of one page request: viewer, language, cookies, form data.

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
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode

from fastapi import Depends
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message as AsgiMessage
from starlette.types import Receive

from tokumei.apps.contest.api.multipart import SILENCE_SECONDS, STALLED_MESSAGE
from tokumei.apps.contest.services.authentication import LOGIN_DAYS, viewer_from_cookie
from tokumei.apps.contest.services.context import VISITOR, AppContext, Viewer
from tokumei.apps.contest.services.organiser_roles import with_contest_rights
from tokumei.apps.http.errors import (
    ContentTooLarge,
    Forbidden,
    RequestTimeout,
    UnprocessableContent,
    content_too_large_error,
)
from tokumei.apps.http.headers import LANGUAGE_COOKIE, SECONDS_PER_YEAR, request_language
from tokumei.apps.http.signing import csrf_token, sign_data, tokens_equal, verify_signed
from tokumei.apps.http.templates import PageRequest
from tokumei.core.errors import TokumeiError
from tokumei.core.json_types import JsonObject
from tokumei.core.language import Language
from tokumei.core.messages import Message

Result = TypeVar("Result")
Params = ParamSpec("Params")
FORM_BYTES = 1_000_000
NOTE_SECONDS = 120
LOGIN_SECONDS = LOGIN_DAYS * 24 * 3600
STALE_FORM_MESSAGE = Message(
    "this form is too old or comes from another site; please go back, reload and try again"
)


@dataclass(frozen=True)
class FlashMessage:
    """A sentence for the next page, once; `secret` is something to be copied from it."""

    message: Message
    secret: str = ""
    kind: str = "good"

    def as_json(self) -> JsonObject:
        """Plain data for a cookie."""
        return {"message": {**self.message.texts()}, "secret": self.secret, "kind": self.kind}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FlashMessage:
        """What `as_json` wrote."""
        return cls(Message.of_texts(data["message"]), data["secret"], data["kind"])


@dataclass
class RequestContext(PageRequest):
    """A request and what is known about it."""

    request: Request
    place: AppContext
    viewer: Viewer
    lang: Language
    login: str
    """The cookie of who is logged in, else empty."""
    token: str
    """What this browser's forms send along."""
    guest: str | None
    """A cookie to be set, so that the next form of somebody unknown is known again."""
    note: FlashMessage | None
    cookies: list[tuple[str, str, int]] = field(default_factory=list)
    """To be set by the answer: name, value, seconds."""
    refusal: TokumeiError | None = None
    """Why what was asked by a form was not done: its page shows that."""
    typed: PostedForm | None = None
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
        what: Callable[Concatenate[AppContext, Viewer, Params], Result],
        *arguments: Params.args,
        **named: Params.kwargs,
    ) -> Result:
        """Call a service for the viewer, and return its result."""
        return what(self.place, self.viewer, *arguments, **named)

    @property
    def next_of_login(self) -> str:
        """The query that brings one back here after logging in; nothing on forms' own pages."""
        path = self.request.url.path
        return "" if path in ("/", "/login", "/register") else "?" + urlencode({"next": path})

    def set_login(self, value: str) -> None:
        """Begin (or, with an empty value, end) being logged in; a fresh cookie each time."""
        self._set_cookie(login_cookie_name(self.secure), value, LOGIN_SECONDS if value else 0)

    def leave_note(self, note: FlashMessage) -> None:
        """Show a sentence on the next page."""
        self._set_cookie("note", sign_data(self.place.key, note.as_json()), NOTE_SECONDS)

    def dress(self, response: Response) -> Response:
        """Put all cookies of this visit on its answer."""
        if self.guest is not None:
            self._set_cookie("guest", self.guest, SECONDS_PER_YEAR)
        if self.note is not None and response.status_code == 200:
            self._set_cookie("note", "", 0)
        if self.request.query_params.get("lang") == self.lang:
            self._set_cookie(LANGUAGE_COOKIE, self.lang, SECONDS_PER_YEAR)
        for cookie in self.cookies:
            response.set_cookie(*cookie, httponly=True, samesite="lax", secure=self.secure)
        return response

    def _set_cookie(self, name: str, value: str, seconds: int) -> None:
        self.cookies.append((name, value, seconds))


def login_cookie_name(secure: bool) -> str:
    """The cookie's name; browsers take `__Host-` only from this very host, by https."""
    return "__Host-login" if secure else "login"


def open_request_context(request: Request) -> RequestContext:
    """What is known about a request."""
    context: AppContext = request.app.state.place
    address = request.client.host if request.client else ""
    cookie = request.cookies.get(login_cookie_name(context.home.settings.https), "")
    viewer = replace(viewer_from_cookie(context, cookie), address=address)
    login = "" if viewer == VISITOR else cookie
    guest_cookie = request.cookies.get("guest", "")
    guest = guest_cookie or secrets.token_urlsafe(24)
    note_cookie = request.cookies.get("note", "")
    note_fields = (
        verify_signed(context.key, note_cookie, seconds=NOTE_SECONDS) if note_cookie else None
    )
    return RequestContext(
        request=request,
        place=context,
        viewer=viewer,
        lang=request_language(request),
        login=login,
        token=csrf_token(context.key, login or guest),
        guest=None if guest_cookie or login else guest,
        note=None if note_fields is None else FlashMessage.from_json(note_fields),
    )


def enter_contest(request: Request) -> RequestContext:
    """The same, with the rights of the contest that is asked for."""
    visit = open_request_context(request)
    slug = request.path_params.get("slug")
    if slug is not None:
        visit.viewer = with_contest_rights(visit.place, visit.viewer, slug)
    return visit


CurrentRequest = Annotated[RequestContext, Depends(enter_contest)]


@dataclass(frozen=True)
class PostedForm:
    """The fields of a form."""

    data: FormData

    def __getitem__(self, name: str) -> str:
        """A field's text; empty if it was not sent."""
        value = self.data.get(name)
        return value if isinstance(value, str) else ""

    def files(self, name: str) -> list[UploadFile]:
        """The files of a field; an empty choice is none."""
        values = self.data.getlist(name)
        return [file for file in values if isinstance(file, UploadFile) and file.filename]

    def number(self, name: str) -> int:
        """A field's whole number."""
        try:
            return int(self[name])
        except ValueError:
            raise UnprocessableContent("{name} must be a number", name=name) from None

    def number_or(self, name: str, otherwise: int) -> int:
        """A field's whole number; the other one where it holds none."""
        return int(self[name]) if self[name].isdecimal() and len(self[name]) < 9 else otherwise

    def chosen(self, choices: Mapping[str, Result], name: str = "do") -> Result:
        """What the button that was pressed stands for."""
        if self[name] not in choices:
            raise UnprocessableContent("nothing to do was chosen")
        return choices[self[name]]


async def read_small_form(request: Request, visit: CurrentRequest) -> PostedForm:
    """A small form."""
    return await read_posted_form(request, visit)


async def read_posted_form(
    request: Request, visit: RequestContext, *, most: Callable[[], int] = lambda: 0, files: int = 1
) -> PostedForm:
    """A form with files of at most `most()` bytes together; that may refuse it unread."""
    # Browsers tell where a form comes from; older ones leave it to the token.
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden(STALE_FORM_MESSAGE)
    limited = _LimitedReceive(request)
    try:
        limited.allow(await run_in_threadpool(most))
        data = await Request(request.scope, limited).form(max_files=files, max_fields=50)
        for name, value in data.multi_items():  # a sender's own encoding may bring half characters
            (name + (value if isinstance(value, str) else value.filename or "")).encode()
    except (MultiPartException, HTTPException, UnicodeError):
        raise UnprocessableContent("this form cannot be read") from None
    form = PostedForm(data)
    if not tokens_equal(form["token"], visit.token):
        raise Forbidden(STALE_FORM_MESSAGE)
    return form


class _LimitedReceive:
    """`receive` that stops a body that is too large or does not go on."""

    def __init__(self, request: Request) -> None:
        self._receive: Receive = request.receive
        self._content_length = request.headers.get("content-length", "")
        self._most_bytes = self._bytes_left = 0

    def allow(self, most: int) -> None:
        """So many bytes of files, and a little for the fields."""
        self._most_bytes, self._bytes_left = most, most + FORM_BYTES
        if self._content_length.isdigit() and int(self._content_length) > self._bytes_left:
            raise self._too_large()

    async def __call__(self) -> AsgiMessage:
        try:
            message = await asyncio.wait_for(self._receive(), SILENCE_SECONDS)
        except TimeoutError:
            raise RequestTimeout(STALLED_MESSAGE) from None
        self._bytes_left -= len(message.get("body", b""))
        if self._bytes_left < 0:
            raise self._too_large()
        return message

    def _too_large(self) -> ContentTooLarge:
        return content_too_large_error(self._most_bytes or FORM_BYTES)


SmallForm = Annotated[PostedForm, Depends(read_small_form)]
