"""What the tests split from test_accessible share."""

from __future__ import annotations

import re
from importlib import resources

COLOURS = dict(
    re.findall(
        r"--([\w-]+): (#\w{6})",
        resources.files("tokumei.apps.contest.web").joinpath("static/site.css").read_text("utf-8"),
    )
)

PAGES = [
    (None, "/"),
    (None, "/login"),
    (None, "/register"),
    (None, "/nothing"),
    ("org", "/contests/new"),
    ("aoi", "/account"),
    (None, "/c/cup"),
    ("dan", "/c/cup/team"),
    ("aoi", "/c/cup/team"),
    ("aoi", "/c/cup/submit"),
    ("aoi", "/c/cup/entries"),
    ("aoi", "/c/cup/entries/{scored}"),
    ("aoi", "/c/cup/entries/{queued}"),
    ("aoi", "/c/cup/entries/{rejected}"),
    ("aoi", "/c/cup/targets"),
    ("aoi", "/c/cup/targets/{target}"),
    ("aoi", "/c/cup/leaderboard"),
    (None, "/c/cup/matrix"),
    ("org", "/c/cup/console"),
    ("org", "/c/cup/console/teams"),
    ("org", "/c/cup/console/entries"),
    ("org", "/c/cup/console/phases"),
    ("org", "/c/cup/console/rejudge"),
    ("org", "/c/cup/console/invites"),
    ("org", "/c/cup/console/audit"),
    ("org", "/c/cup/console/export"),
]
