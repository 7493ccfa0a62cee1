"""Runs a contest with generated data in which teams of bots use the public API.

played = play(address, code, folder, tell=note)
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import cast

import yaml

from tokumei.apps.contest.client.contest_client import ContestClient, Json
from tokumei.apps.contest.spec.formats import find_contest_format, load_preset
from tokumei.apps.contest.spec.model import LocalizedText, Phase, PhaseType
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.core.format_judge import BotPlayer, BotTeam
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message

PRESET = "pws2017"
WAIT_SECONDS = 600.0
"""Seconds that a bot waits for a score; then it goes on without."""
TITLE = Message("Demonstration cup")
ABOUT = Message(
    "A year of purchases of generated customers. Give every customer changing pseudonyms and hide "
    "their habits without spoiling the data; then say who is who in the others' releases."
)
SLUG = "demo"
ORGANISER = "organiser"
ATTACK_PHASE_LENGTH = timedelta(days=7)
"""How long the attack phase stays open, for people who want to try."""


def load_player() -> BotPlayer:
    """The module that plays."""
    judge_module = find_contest_format(load_preset(PRESET)["format"]).judge.player
    return cast(BotPlayer, import_module(str(judge_module)))


class Bot:
    """One team's player; `folder` keeps what it downloads."""

    def __init__(self, address: str, slug: str, team: BotTeam, folder: Path) -> None:
        self.team = team
        self._player = load_player()
        self.password = secrets.token_urlsafe(12)
        self._client = ContestClient(address)
        self._slug = slug
        self._folder = folder
        # Bots do the same in every demonstration.
        self._seed = sum(team.name.encode())

    def join(self) -> None:
        """Register, make the team, download the data."""
        self._client.register(self.team.captain, self.password)
        self._client.new_token(self.team.captain, self.password, label="bot")
        self._client.create_team(self._slug, self.team.name)
        self._folder.mkdir(parents=True)
        for file in self._client.contest(self._slug)["data"]:
            (self._folder / file["name"]).write_bytes(self._client.data(self._slug, file["key"]))

    def anonymize(self) -> list[Json]:
        """Upload all releases, wait for the figures, publish the best; the uploads."""
        source = self._player.read_source(self._folder)
        releases = [
            self._player.made_release(source, step, seed=self._seed) for step in self.team.releases
        ]
        if self.team.careless:
            releases.insert(0, self._player.with_faults(releases[0], source))
        uploads = [
            self._client.submit(self._slug, data, name=f"A{number}.csv")
            for number, data in enumerate(releases, 1)
        ]
        judged_entries = [
            self._client.wait(self._slug, entry["id"], seconds=WAIT_SECONDS) for entry in uploads
        ]
        scored = [entry for entry in judged_entries if entry["state"] == "scored"]
        if scored:
            best = min(scored, key=lambda entry: float(entry["score"]["total"]))
            self._client.publish(self._slug, best["id"])
        return judged_entries

    def attack(self) -> list[Json]:
        """Attack every release of the others; the attacks."""
        attacks = []
        for target in self._client.targets(self._slug):
            if target["own"]:
                continue
            public = self._folder / f"S-{target['id']}.csv"
            public.write_bytes(self._client.public(self._slug, target["id"]))
            guess = self._make_guesses(public, target["guess_files"])
            attacks.append(self._client.attack(self._slug, target["id"], guess))
        return [
            self._client.wait(self._slug, entry["id"], seconds=WAIT_SECONDS) for entry in attacks
        ]

    def _make_guesses(self, public: Path, names: list[str]) -> dict[str, bytes]:
        method, seed = self.team.attack, self._seed
        return {
            name: self._player.made_guess(self._folder, public, name=name, method=method, seed=seed)
            for name in names
        }


def write_demo_contest(
    folder: Path,
    *,
    starts: datetime,
    anonymize: timedelta = timedelta(hours=1),
    attack: timedelta = timedelta(hours=1),
    slug: str = "demo",
    rows: int = 3000,
    customers: int = 60,
    seed: int = 1,
    **extra_keys: object,
) -> object:
    """Write contest.yaml and its data; `more` are further keys of the file. Gives the original."""
    attack_starts = starts + anonymize
    path = write_sample_contest(
        folder,
        preset=PRESET,
        rows=rows,
        customers=customers,
        seed=seed,
        slug=slug,
        title=LocalizedText.of(TITLE),
        phases=[
            Phase(kind=PhaseType.ANONYMIZE, starts=starts, ends=attack_starts),
            Phase(kind=PhaseType.ATTACK, starts=attack_starts, ends=attack_starts + attack),
        ],
    )
    contest = yaml.safe_load(path.read_text(encoding="utf-8"))
    contest |= {"about": LocalizedText.of(ABOUT).model_dump(), "registration": "open", **extra_keys}
    path.write_text(yaml.safe_dump(contest, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return load_player().read_source(folder)


@dataclass(frozen=True)
class DemoResult:
    """Who may log in, and what became of it."""

    organiser: str
    password: str
    bots: Sequence[Bot]
    releases: Sequence[Json]
    attacks: Sequence[Json]

    def as_json(self, address: str) -> JsonObject:
        """What to open and as whom, as plain data."""
        return {
            "ok": True,
            "address": address,
            "organiser": {"name": self.organiser, "password": self.password},
            "teams": [
                {"team": bot.team.name, "name": bot.team.captain, "password": bot.password}
                for bot in self.bots
            ],
            "releases": [_summarize_entry(entry) for entry in self.releases],
            "attacks": [_summarize_entry(entry) for entry in self.attacks],
        }


def play_demo(
    address: str,
    code: str,
    folder: Path,
    *,
    tell: Callable[[Message], None],
    teams: int | None = None,
    rows: int = 3000,
) -> DemoResult:
    """Create the contest and let the first teams (all by default) play it."""
    bot_teams: Sequence[BotTeam] = load_player().TEAMS[:teams]
    organiser, password = ContestClient(address), secrets.token_urlsafe(12)
    organiser.register(ORGANISER, password, invite=code)
    organiser.new_token(ORGANISER, password, label="demo")
    write_demo_contest(folder / SLUG, starts=_utc_now(), slug=SLUG, rows=rows, customers=rows // 50)
    organiser.create_contest(folder / SLUG)
    bots = [
        Bot(address, SLUG, team, folder / f"bot-{number}")
        for number, team in enumerate(bot_teams, 1)
    ]
    with ThreadPoolExecutor(len(bots)) as pool:
        list(pool.map(Bot.join, bots))
        tell(Message("{teams} teams anonymize…", teams=len(bots)))
        releases = list(pool.map(Bot.anonymize, bots))
        end_anonymize_phase(organiser)
        tell(Message("They attack each other…"))
        attacks = list(pool.map(Bot.attack, bots))
    return DemoResult(ORGANISER, password, bots, list(chain(*releases)), list(chain(*attacks)))


def end_anonymize_phase(organiser: ContestClient) -> None:
    """The organiser ends the first phase and begins the second."""
    first, second = organiser.contest(SLUG)["phases"]
    now, later = _utc_now().isoformat(), (_utc_now() + ATTACK_PHASE_LENGTH).isoformat()
    for phase, starts, ends in ((first, first["starts"], now), (second, now, later)):
        times = {"starts": starts, "ends": ends, "reason": "the bots are ready"}
        organiser.admin("PUT", SLUG, f"phases/{phase['place']}", json=times)


def _summarize_entry(entry: Json) -> JsonObject:
    return {name: entry[name] for name in ("id", "team", "target_team", "state", "fault_total")}


def _utc_now() -> datetime:
    return datetime.now(UTC)
