"""What a form sent: stopped while it arrives if it is too large, refused without its token.

@router.post("/login")
def log_in(visit: Here, form: Posted) -> Response:
    form["name"]
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message, Receive

from tokumei.contest.api.forms import SILENCE_SECONDS, STOPPED
from tokumei.contest.web.visit import Here, Visit
from tokumei.core.text import Text
from tokumei.http.refusals import NotAllowed, TooLarge, TooSlow, Wrong, too_large
from tokumei.http.seal import same

FORM_BYTES = 1_000_000
OLD_FORM = Text(
    "this form is too old or comes from another site; please go back, reload and try again",
    "フォームの期限が切れたか、別のサイトから送られました。前のページを再読み込みしてください",
)
Kind = TypeVar("Kind")


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
            raise Wrong(Text(f"{name} must be a number", f"{name} は数で書いてください")) from None

    def chosen(self, choices: Mapping[str, Kind], name: str = "do") -> Kind:
        """What the button that was pressed stands for."""
        if self[name] not in choices:
            raise Wrong(Text("nothing to do was chosen", "操作が選ばれていません"))
        return choices[self[name]]


async def posted(request: Request, visit: Here) -> Form:
    """A small form."""
    return await read_form(request, visit)


async def read_form(
    request: Request, visit: Visit, *, most: Callable[[], int] = lambda: 0, files: int = 1
) -> Form:
    """A form with files of at most `most()` bytes together; that may refuse it unread."""
    _require_same_site(request)
    limited = _Limited(request)
    try:
        limited.allow(await run_in_threadpool(most))
        data = await Request(request.scope, limited).form(max_files=files, max_fields=50)
        _require_text(data)
    except (MultiPartException, HTTPException, UnicodeError):
        raise Wrong(Text("this form cannot be read", "フォームを読み取れません")) from None
    form = Form(data)
    if not same(form["token"], visit.token):
        raise NotAllowed(OLD_FORM)
    return form


def _require_text(data: FormData) -> None:
    """UnicodeError if a sender's own encoding brought half characters."""
    for name, value in data.multi_items():
        text = value if isinstance(value, str) else value.filename or ""
        (name + text).encode()


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


def _require_same_site(request: Request) -> None:
    """Browsers tell where a form comes from; older ones leave it to the token."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise NotAllowed(OLD_FORM)


Posted = Annotated[Form, Depends(posted)]
