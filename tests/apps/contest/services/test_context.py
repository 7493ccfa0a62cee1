"""Tests of tokumei.apps.contest.services.context."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apps.contest.played import SLUG, FirstBytes, Played
from tokumei.apps.contest.jobs.upload_checker import RuleCheckResult
from tokumei.apps.contest.services.context import CHECKS_AT_ONCE
from tokumei.apps.contest.services.uploads import allowed_upload_bytes
from tokumei.apps.http.errors import TooManyRequests


class Meanwhile(FirstBytes):
    """A checker that is sent another upload of the same team before it answers."""

    def __init__(self, played: Played) -> None:
        self.played, self.active_job_count = played, 0
        self.refused: list[TooManyRequests] = []

    def check(self, folder: str, upload: Path, name: str, **_: object) -> RuleCheckResult | None:
        self.active_job_count += 1
        if not self.refused:
            try:
                self.played.submit("ann" if self.active_job_count % 2 else "ant", b"more")
            except TooManyRequests as refusal:
                self.refused.append(refusal)
                self.when_full()
        return super().check(folder, upload, name)

    def when_full(self) -> None:
        with pytest.raises(TooManyRequests):
            allowed_upload_bytes(self.played.place, self.played.viewers["ant"], SLUG)
        allowed_upload_bytes(self.played.place, self.played.viewers["bee"], SLUG)
        assert self.played.submit("bee").state == "queued", "another team has room"


def test_a_team_has_a_few_uploads_checked_at_once(opened: Played) -> None:
    checker: Any = Meanwhile(opened)
    opened.place.checker = checker
    assert opened.submit("ant").state == "queued"
    assert [refusal.retry_after for refusal in checker.refused] == [1]
    assert checker.active_job_count == CHECKS_AT_ONCE + 1, "three of the Ants, one of the Bees"
    assert opened.submit("ant").state == "queued", "there is room again"
    inbox = list((opened.place.home.path / "inbox").iterdir())
    assert len(inbox) == CHECKS_AT_ONCE + 2
