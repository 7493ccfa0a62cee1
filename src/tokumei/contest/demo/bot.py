"""A team of one bot, playing through the interface for programs.

bot = Bot(address, "demo", TEAMS[0], folder)
bot.join()                 # account and team, data downloaded
bot.anonymize()            # uploads, waits, publishes the best
bot.attack()               # every other team's release
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from tokumei.contest.client.http import ContestClient
from tokumei.contest.demo.teams import BotTeam, made_guess, made_release, with_faults
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.formats.pws2017 import read_period_history

PATIENCE = 600.0
"""Seconds that a bot waits for a score; then it goes on without."""


class Bot:
    """One team's player; `folder` keeps what it downloads."""

    def __init__(self, address: str, slug: str, team: BotTeam, folder: Path) -> None:
        self.team = team
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

    def anonymize(self) -> list[dict[str, Any]]:
        """Upload all releases, wait for the figures, publish the best; the uploads."""
        history = self._history()
        made = [
            made_release(history, step, self._folder / "A.csv", seed=self._seed)
            for step in self.team.releases
        ]
        if self.team.careless:
            made.insert(0, with_faults(made[0], history))
        sent = [
            self._client.submit(self._slug, data, name=f"A{place}.csv")
            for place, data in enumerate(made, 1)
        ]
        ended = [self._client.wait(self._slug, one["id"], seconds=PATIENCE) for one in sent]
        scored = [one for one in ended if one["state"] == "scored"]
        if scored:
            best = min(scored, key=lambda one: float(one["score"]["total"]))
            self._client.publish(self._slug, best["id"])
        return ended

    def attack(self) -> list[dict[str, Any]]:
        """Attack every release of the others; the attacks."""
        history = self._history()
        sent = []
        for target in self._client.targets(self._slug):
            if target["own"]:
                continue
            public = self._folder / f"S-{target['id']}.csv"
            public.write_bytes(self._client.public(self._slug, target["id"]))
            guess = self._guess(public, target["guess_files"], history)
            sent.append(self._client.attack(self._slug, target["id"], guess))
        return [self._client.wait(self._slug, one["id"], seconds=PATIENCE) for one in sent]

    def _history(self) -> PeriodHistory:
        return read_period_history(self._folder / "T.csv", self._folder / "M.csv")

    def _guess(self, public: Path, names: list[str], history: PeriodHistory) -> dict[str, bytes]:
        """One table for each knowledge file: F25.csv for T25.csv."""
        return {
            name: made_guess(
                self._folder / "M.csv",
                public,
                self._folder / f"T{name.removeprefix('F')}",
                self._folder / name,
                months=history.months,
                method=self.team.attack,
                seed=self._seed,
            )
            for name in names
        }
