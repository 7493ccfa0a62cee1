"""HTTP connections that do not wait for ever, and speak JSON even about broken HTTP."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.answers import json_bytes
from tokumei.http.refusals import Refusal, too_slow

BROKEN_HTTP = Text("this is not a valid HTTP request", "HTTP リクエストとして読めません")
HEAD = Text("the header", "ヘッダー")


class PatientConnection(H11Protocol):
    """A connection that is closed if a request's head does not come to its end."""

    head_seconds: ClassVar[float] = 20.0
    """From the first byte of a request (or the begin of a connection) to the end of its head."""
    tells_late: ClassVar[bool] = False
    """Whether a late client is told so. A browser or proxy that keeps a connection for its next
    request could take that for the answer to it."""

    _deadline: asyncio.TimerHandle | None = None

    @staticmethod
    def shape(error: TokumeiError) -> dict[str, Any]:
        """An error as plain data."""
        return error.as_json()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take bytes; while they are of no complete head, the time runs."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._unwatch()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(Refusal(BROKEN_HTTP))

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._unwatch()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.head_seconds, self._give_up)

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            return
        if self.tells_late:
            self._refuse(too_slow(HEAD, self.head_seconds))
        else:
            self.transport.close()

    def _refuse(self, error: Refusal) -> None:
        self._unwatch()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json_bytes(self.shape(error))
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            start = h11.Response(status_code=error.status, headers=headers)
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
