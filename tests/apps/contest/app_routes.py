"""The routes of an application as it runs, so that no table of them can forget one."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import Mount, Route


def routes_of(app: FastAPI) -> set[str]:
    """`GET /path` of every route, also those that OpenAPI does not tell; mounts are `* /path`."""
    held = list(app.routes)
    found: set[str] = set()
    for route in held:
        inner = getattr(route, "original_router", None)
        held.extend(inner.routes if inner is not None else ())
        if isinstance(route, Mount):
            found.add(f"* {route.path}")
        elif isinstance(route, Route):
            found |= {f"{method} {route.path}" for method in route.methods or ()}
    return found
