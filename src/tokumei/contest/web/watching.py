"""For those who run the machine: is the server alive, is it ready, how is it doing.

    GET /health     200 while this process answers; asks nobody
    GET /ready      200 if database, disk and at least one worker are there, else 503 and which not
    GET /metrics    Prometheus' text format; only to this machine itself

A database that is away is no bug: it is answered with 503 and Retry-After, and the log says why.
"""

from __future__ import annotations

import logging
import shutil
from ipaddress import ip_address

from fastapi import APIRouter
from sqlalchemy import func, select, text
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tokumei.contest.desk.place import Place
from tokumei.contest.store.tables import Entry, Job
from tokumei.core.errors import TokumeiError
from tokumei.http.answers import Json
from tokumei.http.counting import Requests, gauge, prometheus_text
from tokumei.http.refusals import Busy, NotFound

router = APIRouter()
AWAY = (OperationalError, InterfaceError, NoConnection)
RETRY_SECONDS = 10
LEAST_FREE = 64 << 20
"""With less, workers take no job."""
PATHS = ("/health", "/ready", "/metrics")


def database_away(error: Exception, log: logging.Logger) -> TokumeiError | None:
    """The refusal while the database is away, told in the log; None of any other error."""
    if not isinstance(error, AWAY):
        return None
    cause = str(getattr(error, "orig", None) or error).strip().splitlines()
    log.error("database: %s: %s", type(error).__name__, cause[0] if cause else "-")
    return Busy(
        "the database cannot be reached; please try again in a moment",
        "データベースに接続できません。しばらくしてからもう一度お試しください",
        retry_after=RETRY_SECONDS,
    )


@router.get("/health")
async def health() -> Response:
    """Alive."""
    return Json({"ok": True})


@router.get("/ready")
def ready(request: Request) -> Response:
    """Whether uploads can be taken and judged."""
    found = _parts(request.app.state.place)
    whole = all(found.values())
    return Json({"ok": whole, **found}, status_code=200 if whole else 503)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Figures for a program on this machine that watches it."""
    client = request.client
    if client is None or not _local(client.host):
        raise NotFound()
    place, counts = request.app.state.place, request.app.state.counts
    return PlainTextResponse(_figures(place, counts), media_type="text/plain; version=0.0.4")


def _local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _parts(place: Place) -> dict[str, bool]:
    return {
        "database": _has_database(place),
        "disk": _free(place) >= LEAST_FREE,
        "worker": _workers(place) > 0,
    }


def _has_database(place: Place) -> bool:
    try:
        with place.read() as session:
            session.execute(text("SELECT 1"))
    except AWAY:
        return False
    return True


def _free(place: Place) -> int:
    return shutil.disk_usage(place.home.path).free


def _workers(place: Place) -> int:
    return place.home.workers_alive(within=max(30.0, 2.0 * place.home.settings.lease_seconds))


def _figures(place: Place, counts: Requests) -> str:
    parts: dict[tuple[str, ...], float] = {
        (name,): float(here) for name, here in _parts(place).items()
    }
    told = [
        gauge("tokumei_ready", "what is needed to take and judge uploads", parts, label="part"),
        gauge("tokumei_workers", "workers that gave a sign of life", {(): _workers(place)}),
        gauge("tokumei_disk_free_bytes", "free space of the home", {(): _free(place)}),
        *counts.metrics(),
    ]
    if parts["database",]:
        with place.read() as session:
            for kind, name in ((Entry, "tokumei_entries"), (Job, "tokumei_jobs")):
                query = select(kind.state, func.count()).group_by(kind.state).order_by(kind.state)
                found: dict[tuple[str, ...], float] = {
                    (state,): n for state, n in session.execute(query)
                }
                told.append(gauge(name, "by state", found, label="state"))
    return prometheus_text(told)
