"""What the tests split from test_accessible share."""

from __future__ import annotations

import re
from importlib import resources

STYLES = resources.files("tokumei.apps.contest.web").joinpath("static/site.css").read_text("utf-8")


def _read_colours(text: str) -> dict[str, str]:
    found = dict(re.findall(r"--([\w-]+): (#\w{6}|#\w{3})\b", text))
    return {
        name: code if len(code) == 7 else "#" + "".join(2 * c for c in code[1:])
        for name, code in found.items()
    }


LIGHT = _read_colours(STYLES.partition("@media (prefers-color-scheme: dark)")[0])
DARK = _read_colours(STYLES.partition("@media (prefers-color-scheme: dark)")[2])
"""The colours of the site, by name, for each preference of the browser."""

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
