"""A small contest that was played a while: two teams, entries in every state.

    played = Played.make(home)           # a prepared home
    played.clock.to(ATTACKING)
    played.viewers["ant"], played.tokens["ant"], played.entries["scored"]

Nothing is judged for real: the checker looks at the first bytes of a file, and `judge` writes the
figures that it is given.
"""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import yaml
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import select, update

from tokumei.apps.contest.jobs.judging_job import change_entry_state, record_judgement
from tokumei.apps.contest.jobs.upload_checker import JudgeDescription, RuleCheckResult
from tokumei.apps.contest.services import passwords
from tokumei.apps.contest.services.accounts import (
    create_account,
    create_invite,
    first_organiser_code,
)
from tokumei.apps.contest.services.administration import withdraw_entry
from tokumei.apps.contest.services.authentication import create_token
from tokumei.apps.contest.services.contests import create_contest
from tokumei.apps.contest.services.context import VISITOR, AppContext, Viewer
from tokumei.apps.contest.services.entries import cancel_entry, publish_release
from tokumei.apps.contest.services.entry_views import EntryView
from tokumei.apps.contest.services.teams import create_team, create_team_code, join_team
from tokumei.apps.contest.services.upload_intake import ReceivedFile, receive_file
from tokumei.apps.contest.services.uploads import submit_attack, submit_release
from tokumei.apps.contest.store.server_home import ContestHome, open_home
from tokumei.apps.contest.store.tables import Contest, ContestEntry, JudgingJob

START = datetime(2026, 7, 1, tzinfo=UTC)
ANONYMIZING = START + timedelta(days=1)
ATTACKING = START + timedelta(days=8)
OVER = START + timedelta(days=15)
PASSWORD = "correct horse battery"
QUICK = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)])
GUESS_FILES = ("F25.csv", "F50.csv")
SLUG = "cup"
FAULTS = [
    {
        "rule": "shape",
        "message_en": f"line {n}: bad",
        "message_ja": f"{n} 行目: 不正",
        "line": n,
        "column": "day",
    }
    for n in (2, 5)
]


@dataclass
class Clock:
    """A clock that a test sets."""

    now: datetime = ANONYMIZING

    def __call__(self) -> datetime:
        return self.now

    def to(self, now: datetime) -> None:
        self.now = now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


class FirstBytes:
    """A checker: files that begin with `bad` break two rules, with `slow` get no answer."""

    def check(
        self, folder: str, upload: Path, name: str, *, public: Path | None = None, **_: Any
    ) -> RuleCheckResult | None:
        assert public is None or public.is_file()
        with upload.open("rb") as stream:
            begin = stream.read(4)
        if begin == b"slow":
            return None
        bad = begin.startswith(b"bad")
        return RuleCheckResult(not bad, FAULTS if bad else [], len(FAULTS) * bad, "judge-1")

    def describe_judge(self, folder: str) -> JudgeDescription:
        return JudgeDescription("judge-1", GUESS_FILES)

    def close(self) -> None:
        return


def contest_yaml(**changes: Any) -> dict[str, Any]:
    """A contest of two weeks; `changes` are keys of contest.yaml."""
    plain: dict[str, Any] = {
        "slug": SLUG,
        "title": {"en": "Summer cup", "ja": "夏の杯"},
        "about": {"en": "Two weeks.", "ja": "二週間。"},
        "format": "pws2018",
        "data": {"original": "T.csv"},
        "phases": [
            {"kind": "anonymize", "starts": START, "ends": START + timedelta(days=7)},
            {"kind": "attack", "starts": START + timedelta(days=7), "ends": OVER},
        ],
        "quotas": {"submissions": 20, "submissions_per_day": 15, "uploads_per_hour": 25,
                   "attempts_per_target": 3, "megabytes": 1},
    }  # fmt: skip
    return json.loads(json.dumps(plain | changes, default=datetime.isoformat))


def contest_zip(folder: Path, **changes: Any) -> Path:
    """The contest as an organiser uploads it."""
    path = folder / "contest.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("contest.yaml", yaml.safe_dump(contest_yaml(**changes)))
        archive.writestr("T.csv", "1,2018/1/1,a\n")
    return path


@dataclass
class Played:
    """The contest and its people: ant and ann are Ants, bee is a Bee, cat has no team."""

    place: AppContext
    clock: Clock
    viewers: dict[str, Viewer] = field(default_factory=lambda: {"visitor": VISITOR})
    tokens: dict[str, str] = field(default_factory=dict)
    entries: dict[str, str] = field(default_factory=dict)
    """Entry ids by what they are: the state for those of Ants, then target, attack, …"""

    @classmethod
    def open(cls, home: ContestHome, folder: Path, **changes: Any) -> Played:
        """A contest with its teams, before anybody sent anything."""
        clock = Clock()
        checker: Any = FirstBytes()
        played = cls(AppContext(home, home.database(), checker, clock), clock)
        with mock.patch.object(passwords, "_HASHER", QUICK):
            played._people_count(contest_zip(folder, **changes))
        return played

    def copied(self, folder: Path) -> Played:
        """The same contest again in a new home; only for SQLite."""
        self.place.database.close()
        shutil.copytree(self.place.home.path, folder)
        home, clock = open_home(folder), Clock(self.clock.now)
        place = AppContext(home, home.database(), self.place.checker, clock)
        return Played(place, clock, dict(self.viewers), dict(self.tokens), dict(self.entries))

    @classmethod
    def make(cls, home: ContestHome, folder: Path, **changes: Any) -> Played:
        """A contest in its attack phase, with entries in every state."""
        played = cls.open(home, folder, **changes)
        played._releases()
        played.clock.to(ATTACKING)
        played._attack_names()
        return played

    def close(self) -> None:
        self.place.close()

    def changed(self, **changes: Any) -> Played:
        """The same contest with other keys of contest.yaml."""
        with self.place.write() as session:
            row = session.scalars(select(Contest)).one()
            row.spec = row.spec | changes
        return self

    def received(self, content: bytes = b"1,2,3\n", name: str = "A.csv") -> ReceivedFile:
        return receive_file(self.place, io.BytesIO(content), name, most_bytes=1 << 20)

    def submit(self, who: str, content: bytes = b"1,2,3\n", **more: Any) -> EntryView:
        return submit_release(self.place, self.viewers[who], SLUG, self.received(content), **more)

    def attack(self, who: str, target: str, content: bytes = b"guess\n", **more: Any) -> EntryView:
        files = [self.received(content, "guess.zip")]
        return submit_attack(self.place, self.viewers[who], SLUG, target, files, **more)

    def judge(self, entry_id: str, **figures: Any) -> str:
        """What a worker does with an entry that it scores; the entry's id."""
        with self.place.write() as session:
            release = session.get_one(ContestEntry, entry_id).target_id is None
            public = f"S of {entry_id}\n".encode()
            kept = {
                "public_sha256": self.place.home.files.put(public),
                "public_commitment": "c" * 64,
                "truth_commitment": "d" * 64,
            }
            answer = {
                "accepted": True,
                "judge_version": "judge-1",
                "utility": 0.2 if release else None,
                "safety": 0.1,
                "total": 0.15 if release else None,
                "unsafe": False,
                "figures": {"utility": {"loss": 0.2}},
            } | figures
            session.execute(
                update(JudgingJob).where(JudgingJob.entry_id == entry_id).values(state="done")
            )
            record_judgement(session, entry_id, answer, kept if release else {})
        return entry_id

    def scored(self, who: str, content: bytes, **figures: Any) -> str:
        return self.judge(self.submit(who, content).id, **figures)

    def rejudged(self, run: str, results: Mapping[str, Mapping[str, Any]]) -> None:
        """What workers do with a run: `results` by entry."""
        with self.place.write() as session:
            for entry_id, result in results.items():
                session.execute(
                    update(JudgingJob)
                    .where(JudgingJob.entry_id == entry_id, JudgingJob.run == run)
                    .values(state="done", result=dict(result))
                )

    def _people_count(self, source: Path) -> None:
        place, viewers = self.place, self.viewers
        code = first_organiser_code(place)
        viewers["organiser"] = create_account(place, "Olga", PASSWORD, invite=code)
        create_contest(place, viewers["organiser"], source)
        code = create_invite(place, viewers["organiser"], "register", slug=SLUG, uses=9).code
        for name in ("ant", "ann", "bee", "cat"):
            viewers[name] = create_account(place, name, PASSWORD, invite=code)
        create_team(place, viewers["ant"], SLUG, "Ants")
        join_team(place, viewers["ann"], SLUG, create_team_code(place, viewers["ant"], SLUG).code)
        create_team(place, viewers["bee"], SLUG, "Bees")
        for name, viewer in viewers.items():
            if viewer is not VISITOR:
                self.tokens[name] = create_token(place, viewer, "test").token

    def _releases(self) -> None:
        place, entries = self.place, self.entries
        ant, organiser = self.viewers["ant"], self.viewers["organiser"]
        for name in ("queued", "running", "failed", "cancelled"):
            entries[name] = self.submit("ant", name.encode(), label=f"secret {name}").id
        entries["received"] = self.submit("ant", b"slow").id
        entries["rejected"] = self.submit("ant", b"bad").id
        with place.write() as session:
            change_entry_state(session, entries["running"], "running")
            change_entry_state(session, entries["failed"], "failed")
        cancel_entry(place, ant, SLUG, entries["cancelled"])
        entries["scored"] = self.scored("ant", b"scored", utility=0.9, total=0.5)
        entries["published"] = self.scored("ant", b"published")
        publish_release(place, ant, SLUG, entries["published"])
        entries["withdrawn"] = self.scored("ant", b"withdrawn", utility=0.0, total=0.0)
        withdraw_entry(place, organiser, SLUG, entries["withdrawn"], "copied")
        entries["target"] = self.scored("bee", b"bees", utility=0.3, safety=0.2, total=0.25)
        publish_release(place, self.viewers["bee"], SLUG, entries["target"])
        entries["private"] = self.scored("bee", b"not shown", utility=0.5, total=0.6)

    def _attack_names(self) -> None:
        entries, target = self.entries, self.entries["target"]
        entries["attack"] = self.judge(self.attack("ant", target, b"first").id, safety=0.3)
        entries["attack rejected"] = self.attack("ant", target, b"bad").id
        entries["attacked"] = self.judge(
            self.attack("bee", entries["published"], b"ours").id, safety=0.42
        )
