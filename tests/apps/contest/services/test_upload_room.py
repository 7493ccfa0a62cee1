"""One team's burst of uploads must not hold up the others."""

from __future__ import annotations

from typing import Any

import pytest

from apps.contest.played import FirstBytes, Played
from tokumei.apps.contest.jobs.upload_checker import RuleCheckResult
from tokumei.apps.contest.services.context import CHECKS_AT_ONCE


def test_a_check_that_breaks_gives_its_room_back(opened: Played) -> None:
    def broken(*_: object, **__: object) -> RuleCheckResult:
        raise RuntimeError

    checker: Any = FirstBytes()
    opened.place.checker = checker
    checker.check = broken
    for _ in range(CHECKS_AT_ONCE + 1):
        with pytest.raises(RuntimeError):
            opened.submit("ant")
