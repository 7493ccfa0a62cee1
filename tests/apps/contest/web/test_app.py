"""Tests of tokumei.apps.contest.web.app."""

from __future__ import annotations

from apps.contest.web.guard_helpers import statuses
from tokumei.apps.contest.api.app import PREFIX
from tokumei.apps.contest.web.app import make_app
from tokumei.apps.http.rate_limit import RateLimiter


def test_one_address_cannot_ask_for_pages_without_end(scene):
    app = make_app(scene.place, rates=RateLimiter(burst=2, per_second=1, clock=lambda: 0.0))
    asked = ["/", "/login", "/", "/static/nothing", PREFIX + "/health", "/login"]
    assert statuses(app, *asked) == [200, 200, 429, 404, 200, 429]
