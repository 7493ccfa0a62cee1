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
