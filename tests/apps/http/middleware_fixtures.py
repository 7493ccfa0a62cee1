"""What the tests split from test_middleware share."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field

from support.served_app import RunningServer, run_in_thread
from support.waiting import HUNG_SECONDS
from tokumei.apps.http.errors import (
    INVALID_FIELDS,
    Forbidden,
    UnprocessableContent,
    field_violations,
)
from tokumei.apps.http.headers import require_allowed_host, security_headers
from tokumei.apps.http.middleware import RequestLimitsMiddleware
from tokumei.apps.http.responses import add_error_handlers, json_error_responder
from tokumei.apps.http.server import TimeoutConnection, make_server, open_listening_socket
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

LOG = logging.getLogger("test.gate")


UNREADABLE = UnprocessableContent(Message.of_texts({"en": "unreadable", "ja": "読めません"}))


answer = json_error_responder(TokumeiError.as_json)


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=2)


class Telling(TimeoutConnection):
    responds_when_late = True


def gated(app: FastAPI, **more: Any) -> FastAPI:
    add_error_handlers(
        app,
        answer,
        fields=lambda e: UnprocessableContent(INVALID_FIELDS, faults=field_violations(e)),
        unreadable=UNREADABLE,
    )
    app.add_middleware(RequestLimitsMiddleware, answer=answer, log=LOG, **more)
    return app


@pytest.fixture(scope="module")
def running() -> Iterator[RunningServer]:
    inner = FastAPI()

    @inner.post("/upload")
    async def upload(request: Request) -> None:
        await anext(request.stream())
        raise Forbidden(Message.of_texts({"en": "not you", "ja": "あなたではありません"}))

    app = FastAPI(openapi_url=None)
    app.mount("/in", gated(inner))

    @app.post("/ask")
    async def ask(asked: Asked) -> dict[str, str]:
        return {"name": asked.name}

    @app.get("/bug")
    async def bug() -> None:
        raise ValueError("row 7 of the data")

    gated(
        app,
        require=require_allowed_host(["127.0.0.1"]),
        most_body=lambda scope: None if scope["path"].startswith("/in") else 1000,
        headers=security_headers(https=True),
        log_requests=True,
    )
    server = make_server(app, connection=Telling, idle_seconds=5)
    with open_listening_socket("127.0.0.1", 0) as taken, run_in_thread(server, taken) as running:
        yield running


@pytest.fixture
def client(running: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=running.address, timeout=HUNG_SECONDS) as client:
        yield client
