"""A team of one bot, playing through the interface for programs.

bot = Bot(address, "demo", player().TEAMS[0], folder)
bot.join()                 # account and team, data downloaded
bot.anonymize()            # uploads, waits, publishes the best
bot.attack()               # every other team's release
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from tokumei.contest.client.http import ContestClient
from tokumei.contest.demo.player import player
from tokumei.core.judging import BotTeam

PATIENCE = 600.0
"""Seconds that a bot waits for a score; then it goes on without."""


class Bot:
    """One team's player; `folder` keeps what it downloads."""

    def __init__(self, address: str, slug: str, team: BotTeam, folder: Path) -> None:
        self.team = team
        self._player = player()
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
        source = self._player.read_source(self._folder)
        made = [
            self._player.made_release(source, step, seed=self._seed) for step in self.team.releases
        ]
        if self.team.careless:
            made.insert(0, self._player.with_faults(made[0], source))
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
        sent = []
        for target in self._client.targets(self._slug):
            if target["own"]:
                continue
            public = self._folder / f"S-{target['id']}.csv"
            public.write_bytes(self._client.public(self._slug, target["id"]))
            guess = self._guess(public, target["guess_files"])
            sent.append(self._client.attack(self._slug, target["id"], guess))
        return [self._client.wait(self._slug, one["id"], seconds=PATIENCE) for one in sent]

    def _guess(self, public: Path, names: list[str]) -> dict[str, bytes]:
        method, seed = self.team.attack, self._seed
        return {
            name: self._player.made_guess(self._folder, public, name=name, method=method, seed=seed)
            for name in names
        }
