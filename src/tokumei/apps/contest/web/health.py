"""Health, readiness and metrics endpoints for operators.

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

from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.contest.store.tables import ContestEntry, JudgingJob
from tokumei.apps.http.errors import NotFound, ServiceUnavailable
from tokumei.apps.http.metrics import RequestMetrics, make_gauge, prometheus_text
from tokumei.apps.http.responses import JsonResponse
from tokumei.core.errors import TokumeiError

router = APIRouter()
DATABASE_AWAY_ERRORS = (OperationalError, InterfaceError, NoConnection)
RETRY_SECONDS = 10
LEAST_FREE = 64 << 20
"""With less, workers take no job."""
HEALTH_PATHS = ("/health", "/ready", "/metrics")


def translate_database_error(error: Exception, log: logging.Logger) -> TokumeiError | None:
    """The refusal while the database is away, told in the log; None of any other error."""
    if not isinstance(error, DATABASE_AWAY_ERRORS):
        return None
    cause = str(getattr(error, "orig", None) or error).strip().splitlines()
    log.error("database: %s: %s", type(error).__name__, cause[0] if cause else "-")
    return ServiceUnavailable(
        "the database cannot be reached; please try again in a moment", retry_after=RETRY_SECONDS
    )


@router.get("/health")
async def health() -> Response:
    """Alive."""
    return JsonResponse({"ok": True})


@router.get("/ready")
def ready(request: Request) -> Response:
    """Whether uploads can be taken and judged."""
    checks = _readiness(request.app.state.place)
    is_ready = all(checks.values())
    return JsonResponse({"ok": is_ready, **checks}, status_code=200 if is_ready else 503)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Figures for a program on this machine that watches it."""
    client = request.client
    if client is None or not _is_loopback(client.host):
        raise NotFound()
    context, counts = request.app.state.place, request.app.state.counts
    return PlainTextResponse(
        _prometheus_metrics(context, counts), media_type="text/plain; version=0.0.4"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _readiness(context: AppContext) -> dict[str, bool]:
    return {
        "database": _database_reachable(context),
        "disk": _free_disk_bytes(context) >= LEAST_FREE,
        "worker": _count_live_workers(context) > 0,
    }


def _database_reachable(context: AppContext) -> bool:
    try:
        with context.read() as session:
            session.execute(text("SELECT 1"))
    except DATABASE_AWAY_ERRORS:
        return False
    return True


def _free_disk_bytes(context: AppContext) -> int:
    return shutil.disk_usage(context.home.path).free


def _count_live_workers(context: AppContext) -> int:
    return context.home.workers_alive(within=max(30.0, 2.0 * context.home.settings.lease_seconds))


def _prometheus_metrics(context: AppContext, counts: RequestMetrics) -> str:
    parts: dict[tuple[str, ...], float] = {
        (name,): float(is_up) for name, is_up in _readiness(context).items()
    }
    gauges = [
        make_gauge(
            "tokumei_ready", "what is needed to take and judge uploads", parts, label="part"
        ),
        make_gauge(
            "tokumei_workers",
            "workers that gave a sign of life",
            {(): _count_live_workers(context)},
        ),
        make_gauge(
            "tokumei_disk_free_bytes", "free space of the home", {(): _free_disk_bytes(context)}
        ),
        *counts.metrics(),
    ]
    if parts["database",]:
        with context.read() as session:
            for kind, name in ((ContestEntry, "tokumei_entries"), (JudgingJob, "tokumei_jobs")):
                query = select(kind.state, func.count()).group_by(kind.state).order_by(kind.state)
                counts_by_state: dict[tuple[str, ...], float] = {
                    (state,): n for state, n in session.execute(query)
                }
                gauges.append(make_gauge(name, "by state", counts_by_state, label="state"))
    return prometheus_text(gauges)
