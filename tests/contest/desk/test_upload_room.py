"""One team's burst of uploads must not hold up the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contest.played import SLUG, FirstBytes, Played
from tokumei.contest.desk.place import CHECKS_AT_ONCE
from tokumei.contest.desk.uploads import may_upload, submit
from tokumei.contest.jobs.checker import Checked
from tokumei.http.refusals import TooMany


class Meanwhile(FirstBytes):
    """A checker that is sent another upload of the same team before it answers."""

    def __init__(self, played: Played) -> None:
        self.played, self.under_way = played, 0
        self.refused: list[TooMany] = []

    def check(self, folder: str, upload: Path, name: str, **_: object) -> Checked | None:
        self.under_way += 1
        if not self.refused:
            try:
                self.played.submit("ann" if self.under_way % 2 else "ant", b"more")
            except TooMany as refusal:
                self.refused.append(refusal)
                self.when_full()
        return super().check(folder, upload, name)

    def when_full(self) -> None:
        with pytest.raises(TooMany):
            may_upload(self.played.place, self.played.viewers["ant"], SLUG)
        may_upload(self.played.place, self.played.viewers["bee"], SLUG)
        assert self.played.submit("bee").state == "queued", "another team has room"


def test_a_team_has_a_few_uploads_checked_at_once(opened: Played) -> None:
    checker: Any = Meanwhile(opened)
    opened.place.checker = checker
    assert opened.submit("ant").state == "queued"
    assert [refusal.retry_after for refusal in checker.refused] == [1]
    assert checker.under_way == CHECKS_AT_ONCE + 1, "three of the Ants, one of the Bees"
    assert opened.submit("ant").state == "queued", "there is room again"
    inbox = list((opened.place.home.path / "inbox").iterdir())
    assert len(inbox) == CHECKS_AT_ONCE + 2


def test_a_check_that_breaks_gives_its_room_back(opened: Played) -> None:
    def broken(*_: object, **__: object) -> Checked:
        raise RuntimeError

    checker: Any = FirstBytes()
    opened.place.checker = checker
    checker.check = broken
    for _ in range(CHECKS_AT_ONCE + 1):
        with pytest.raises(RuntimeError):
            opened.submit("ant")


def test_nothing_is_checked_beyond_the_quota(opened: Played) -> None:
    for _ in range(15):
        opened.submit("ant")
    late = opened.received()
    checker: Any = None  # asking it would fail
    opened.place.checker = checker
    with pytest.raises(TooMany):
        submit(opened.place, opened.viewers["ant"], SLUG, late)
    assert not late.path.exists()
    opened.place.checker = FirstBytes()
