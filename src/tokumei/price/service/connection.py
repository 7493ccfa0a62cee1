"""HTTP connections that do not wait for ever, and speak JSON even about broken HTTP."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tokumei.core.text import Text
from tokumei.http.refusals import json_bytes
from tokumei.price.service.refusals import RequestError, TooSlowError

BROKEN_HTTP = Text("this is not a valid HTTP request", "HTTP リクエストとして読めません")


class PatientConnection(H11Protocol):
    """A connection whose next header must be complete within the keep-alive time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a header."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on; a header that is not complete keeps its time."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_watching()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(RequestError(BROKEN_HTTP))

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._stop_watching()
        elif self._late is None:
            self._late = self.loop.call_later(self.timeout_keep_alive, self._header_is_late)

    def _stop_watching(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _header_is_late(self) -> None:
        self._late = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            seconds = self.timeout_keep_alive
            self._refuse(
                TooSlowError(
                    Text(
                        f"the header did not arrive within {seconds} seconds",
                        f"ヘッダーが {seconds} 秒以内に届きませんでした",
                    )
                )
            )

    def _refuse(self, error: RequestError) -> None:
        self._stop_watching()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json_bytes(error.as_json())
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            start = h11.Response(status_code=error.status, headers=headers)
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
