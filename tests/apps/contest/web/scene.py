"""A small contest in all its states, without a judge: rows are written as one would leave them.

    scene = Scene.make(tmp_path)
    scene.browser("aoi").get("/c/cup/entries")

People: `org` organises; `aoi` (captain) and `ben` are team one, `chi` team two, `dan` has no team.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from apps.contest.prepared import new_home
from tokumei.apps.contest.jobs.upload_checker import JudgeDescription, RuleCheckResult
from tokumei.apps.contest.services.authentication import start_session
from tokumei.apps.contest.services.context import AppContext, Viewer, open_app_context
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.store.server_home import load_settings
from tokumei.apps.contest.store.tables import (
    Contest,
    ContestEntry,
    EntryScore,
    EntryStateChange,
    JudgingJob,
    Team,
    TeamMember,
    UserAccount,
)
from tokumei.apps.contest.web.app import make_app

TOKYO = timezone(timedelta(hours=9))
START = datetime(2026, 11, 2, 0, 0, tzinfo=UTC)
ANONYMIZE, BETWEEN, ATTACK, OVER = (START + timedelta(days=day) for day in (7, 14.5, 20, 40))
URL = "http://contest.test"
FIGURES = {
    "utility": {"U1": 0.0821, "U2": 0.1432, "U3": 0.1904},
    "safety": {
        "same-item": {"0.25": 0.021, "0.5": 0.044, "1": 0.131},
        "same-day-and-price": {"0.25": 0.055, "0.5": 0.109, "1": 0.212},
    },
}


class Rules:
    """Stands for the processes that check: a file with `bad` in it breaks rules."""

    def describe_judge(self, folder: str) -> JudgeDescription:
        return JudgeDescription("v1", ("F25.csv", "F50.csv"))

    def check(self, folder: str, path: Path, name: str, **_: Any) -> RuleCheckResult:
        found = [fault(line) for line in range(1, 4)] if b"bad" in path.read_bytes() else []
        return RuleCheckResult(not found, found, len(found), "v1")

    def close(self) -> None:
        pass


def fault(line: int, rule: str = "row-count", en: str = "", ja: str = "") -> dict[str, Any]:
    return {
        "line": line,
        "column": "purchase_date",
        "rule": rule,
        "message_en": en or f"line {line}: the value does not occur in the data",
        "message_ja": ja or f"{line} 行目: 元データにない値です",
    }


def contest_spec(*, starting: timedelta = timedelta(), **more: Any) -> ContestSpec:
    """The contest's file; it starts so much later than START."""
    day = timedelta(days=1)
    at = [(START + starting + day * d).astimezone(TOKYO).isoformat() for d in (0, 14, 15, 30)]
    return ContestSpec.model_validate(
        {
            "slug": "cup",
            "title": {"en": "Autumn Cup 2026", "ja": "秋の匿名加工カップ 2026"},
            "about": {
                "en": "Purchases of one year. Keep them useful, keep the customers unknown.\n\n"
                "Pseudonyms may change every month.",
                "ja": "一年分の購買履歴です。使える形を保ちながら、顧客が分からないように"
                "加工してください。\n\n仮名は月ごとに変えられます。",
            },
            "format": "pws2017",
            "data": {"original": "T.csv", "master": "M.csv", "answers": "X.csv"},
            "secret_data": ["answers"],
            "knowledge": [0.25, 0.5],
            "quotas": {"megabytes": 2},
            "phases": [
                {"kind": "anonymize", "starts": at[0], "ends": at[1]},
                {"kind": "attack", "starts": at[2], "ends": at[3]},
            ],
            **more,
        }
    )


@dataclass
class Scene:
    """The contest and everybody in it."""

    place: AppContext
    people: dict[str, Viewer] = field(default_factory=dict)
    teams: dict[str, int] = field(default_factory=dict)
    now: datetime = ANONYMIZE
    entries: int = 0

    @classmethod
    def make(
        cls, folder: Path, *, names: tuple[str, str] = ("夜間飛行", "Kumo"), **spec: Any
    ) -> Scene:
        """The contest with two teams and nothing uploaded, in its first phase."""
        settings = load_settings(folder / "home", public_url=spec.pop("public_url", None))
        new_home(folder / "home", settings)
        place = open_app_context(folder / "home", settings=settings, checker=Rules())
        scene = cls(place)
        place.clock = lambda: scene.now
        data = place.home.contests / "cup"
        data.mkdir(parents=True)
        for name in ("T.csv", "M.csv", "X.csv"):
            (data / name).write_text("a,b\n1,2\n" * 40, encoding="utf-8")
        told = contest_spec(**spec).model_dump(mode="json", by_alias=True)
        (data / "contest.yaml").write_text(json.dumps(told), encoding="utf-8")
        with place.write() as session:
            session.add(
                Contest(
                    slug="cup",
                    spec=told,
                    folder="cup",
                    judge_version="v1",
                    created_at=_bare(START),
                )
            )
        for name in ("org", "aoi", "ben", "chi", "dan"):
            scene.add_person(name)
        scene.add_team(names[0], "aoi", "ben")
        scene.add_team(names[1], "chi")
        return scene

    @cached_property
    def app(self) -> FastAPI:
        return make_app(self.place)

    def close(self) -> None:
        self.place.close()

    def add_person(self, name: str) -> Viewer:
        with self.place.write() as session:
            row = UserAccount(
                name=name,
                key=name,
                password="!",
                organiser=name == "org",
                created_at=_bare(START),
            )
            session.add(row)
            session.flush()
            self.people[name] = Viewer(row.id, name, row.organiser)
        return self.people[name]

    def add_team(self, name: str, *members: str) -> int:
        with self.place.write() as session:
            team = Team(contest_id=1, name=name, key=name.casefold(), created_at=_bare(START))
            session.add(team)
            session.flush()
            for place, member in enumerate(members):
                account = self.people[member].account_id
                session.add(TeamMember(team_id=team.id, account_id=account, captain=not place))
            self.teams[name] = team.id
        return self.teams[name]

    def add_entry(
        self,
        by: str,
        *,
        state: str = "scored",
        scores: tuple[float, float] | None = (0.2, 0.1),
        target: str | None = None,
        label: str = "",
        file_name: str = "A.csv",
        faults: list[dict[str, Any]] | None = None,
        published: bool = False,
        at: datetime | None = None,
    ) -> str:
        """An upload of somebody's team, judged or on its way."""
        self.entries += 1
        when = _bare(at or self.now - timedelta(hours=100 - self.entries))
        public = self.place.home.files.put(f"s,{self.entries}\n".encode())
        with self.place.write() as session:
            account = self.people[by].account_id
            team = session.query(TeamMember).filter_by(account_id=account).one().team_id
            entry = ContestEntry(
                id=f"{self.entries:020x}",
                contest_id=1,
                team_id=team,
                account_id=account,
                target_id=target,
                file_name=file_name,
                label=label,
                sha256=f"{self.entries:064x}",
                size=1_234_567,
                received_at=when,
                state=state,
                faults=faults,
                fault_total=len(faults or ()),
                public_sha256=public if state == "scored" and not target else None,
                public_commitment="c" * 64 if state == "scored" else None,
                truth_commitment="d" * 64 if state == "scored" else None,
                published_at=when if published else None,
            )
            session.add(entry)
            session.flush()
            session.add_all(_steps(entry, when))
            if state in ("queued", "running"):
                session.add(_job(entry, when))
            if state == "scored" and scores is not None:
                session.add(_score(entry, scores, when))
        return entry.id

    def browser(self, who: str | None = None, *, lang: str = "en", url: str = URL) -> Browser:
        """A browser, logged in as somebody."""
        browser = Browser(self.app, url, lang)
        if who is not None:
            browser.cookies.set("login", start_session(self.place, self.people[who]))
        return browser


Answer = TypeVar("Answer")


def run_apart(work: Coroutine[Any, Any, Answer]) -> Answer:
    """What the work gives, in a thread of its own: Playwright's loop may be running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Browser:
    """A browser without scripts that follows nothing by itself and fills in forms as they came."""

    def __init__(self, app: FastAPI, url: str, lang: str) -> None:
        self._transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        self._url, self._headers = url, {"accept-language": lang}
        self.cookies = httpx.Cookies()

    def get(self, path: str, **options: Any) -> httpx.Response:
        return run_apart(self._ask_process("GET", path, **options))

    def post(self, path: str, **options: Any) -> httpx.Response:
        return run_apart(self._ask_process("POST", path, **options))

    async def _ask_process(self, method: str, path: str, **options: Any) -> httpx.Response:
        async with httpx.AsyncClient(
            transport=self._transport,
            base_url=self._url,
            headers=self._headers,
            cookies=self.cookies,
        ) as client:
            answer = await client.request(method, path, **options)
            self.cookies = client.cookies
            return answer

    def token(self, path: str) -> str:
        """The token of a page's forms."""
        found = re.search(r'name="token" value="([^"]+)"', self.get(path).text)
        assert found is not None, path
        return found[1]

    def send(
        self, path: str, *, page: str | None = None, files: Any = None, **fields: str
    ) -> httpx.Response:
        """Fill in a form of `page` (else of `path` itself) and send it."""
        fields["token"] = self.token(page or path)
        return self.post(path, data=fields, files=files)


def _bare(when: datetime) -> datetime:
    return when.astimezone(UTC).replace(tzinfo=None)


def _steps(entry: ContestEntry, when: datetime) -> list[EntryStateChange]:
    way = {
        "scored": ("received", "queued", "running", "scored"),
        "running": ("received", "queued", "running"),
        "queued": ("received", "queued"),
    }.get(entry.state, ("received", entry.state))
    return [
        EntryStateChange(
            entry_id=entry.id, state=state, at=when + timedelta(seconds=2 * place), reason=None
        )
        for place, state in enumerate(dict.fromkeys(way))
    ]


def _job(entry: ContestEntry, when: datetime) -> JudgingJob:
    return JudgingJob(
        kind="attack" if entry.target_id else "judge",
        entry_id=entry.id,
        state=entry.state,
        owner="worker-1" if entry.state == "running" else None,
        attempts=int(entry.state == "running"),
        progress=0.4,
        queued_at=when,
        started_at=when if entry.state == "running" else None,
    )


def _score(entry: ContestEntry, scores: tuple[float, float], when: datetime) -> EntryScore:
    utility, safety = scores
    attack = entry.target_id is not None
    return EntryScore(
        entry_id=entry.id,
        judge_version="v1",
        utility=None if attack else utility,
        safety=safety,
        total=None if attack else (utility + safety) / 2,
        unsafe=False,
        figures={} if attack else FIGURES,
        created_at=when,
        current=True,
    )
