"""A dress rehearsal: `python -m bench.rehearsal [--preset table] [--teams 24]`.

A generated contest, its phases in fast time, on PostgreSQL with two workers: bots of different
skill upload and attack; a worker and the web process are killed; the organiser corrects the
contest's file, has everything judged again and applies it, extends a phase, withdraws an upload and
takes that back. Then the board is printed, and checked: every upload accounted for, every score
that of `tokumei contest check` at home, no cheat above its honest counterpart, and the export
replayed to the same board. Exit code 1 if a check fails.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from bench.chaos_load import LATER, PASSWORD
from bench.contest_server import ContestServer
from bench.postgres import running_postgres
from bench.rehearsal_checks import Played, checked
from bench.rehearsal_teams import TEAMS, Game, Plan, game_of, plans
from tokumei.apps.contest.client.contest_client import ContestClient
from tokumei.apps.contest.client.errors import RemoteRefusal
from tokumei.apps.contest.server.vault_exports import export_with_uploads
from tokumei.apps.contest.spec.folder import CONTEST_FILE
from tokumei.apps.contest.spec.formats import load_preset as preset_of
from tokumei.apps.contest.spec.model import Phase, PhaseType
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.apps.contest.store.server_home import load_settings, open_home
from tokumei.core.errors import TokumeiError

SLUG = "rehearsal"
PRESETS = ("table", "pws2017", "pws2018")
SUBMISSIONS = 8
FLOOD = 20
ATTACKED = 3
"""Targets of a team that is not thorough."""
AT_ONCE = 6
PATIENCE = 900.0


class Unanswered(Exception):
    """A request that was not answered for long."""


def until_answered(ask: Callable[[], Any]) -> Any:
    """Ask again while a killed process is away."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            return ask()
        except RemoteRefusal as refusal:
            if refusal.status not in LATER or refusal.status == 429:
                raise
        except TokumeiError:
            pass  # no answer: the process was killed meanwhile
        time.sleep(0.3)
    raise Unanswered


@dataclass
class Bot:
    """A team's player."""

    plan: Plan
    game: Game
    client: ContestClient
    played: Played
    most: int | None = None
    """How many targets even a thorough team attacks."""

    def join(self) -> None:
        """Register and make the team."""
        who = self.plan.name.replace(" ", "-")
        self.client.register(who, PASSWORD)
        self.client.new_token(who, PASSWORD)
        self.client.create_team(SLUG, self.plan.name)

    def submit(self) -> None:
        """Upload the release (whoever is in a hurry: a faulty one first) and publish it."""
        content = self.game.release(self.plan)
        if self.plan.trick == "faults":
            self._send(content, "first")
            content = self.game.release(Plan(self.plan.name, "sloppy", self.plan.how))
        entry = self._send(content, "release")
        if self.plan.floods:
            self._flood(content)
        if entry is not None and self.played.wait(self.client, SLUG, entry)["state"] == "scored":
            until_answered(lambda: self.client.publish(SLUG, entry))

    def _send(self, content: bytes, key: str) -> str | None:
        name = "A.zip" if content.startswith(b"PK") else "A.csv"
        sent = until_answered(
            lambda: self.client.submit(
                SLUG, content, name=name, key=f"{self.plan.name} {key}", label=self.plan.kind
            )
        )
        self.played.sent[sent["id"]] = (self.plan, name, content)
        return str(sent["id"])

    def _flood(self, content: bytes) -> None:
        """Many uploads at once: refused beyond the quota, and nobody else waits."""
        for number in range(FLOOD):
            try:
                self._send(content + b"\n" * (number % 2), f"flood {number}")
            except RemoteRefusal as refusal:
                self.played.refused[refusal.status] += 1
                if refusal.status == 429 and self.played.refused[429] > 3:
                    return

    def attack(self) -> None:
        """Attack others' releases; thorough ones all of them."""
        if not self.plan.attack:
            return
        targets = [t for t in until_answered(lambda: self.client.targets(SLUG)) if not t["own"]]
        most = self.most if self.plan.kind == "honest" else self.most or ATTACKED
        for target in targets[:most]:
            self._attack(target)

    def _attack(self, target: dict[str, Any]) -> None:
        public = until_answered(lambda: self.client.public(SLUG, target["id"]))
        guess = self.game.guess(self.plan, public)
        key = f"{self.plan.name} on {target['id']}"
        sent = until_answered(lambda: self.client.attack(SLUG, target["id"], guess, key=key))
        self.played.attacks[sent["id"]] = (self.plan, target["id"], guess)


@dataclass
class Rehearsal:
    """One contest from its file to its export."""

    preset: str
    folder: Path
    url: str
    teams: int
    rows: int
    short: bool = False
    say: Callable[[str], None] = print
    played: Played = field(default_factory=Played)

    def run(self) -> list[str]:
        """Play it all; what is wrong."""
        began = time.monotonic()
        with ContestServer(self.folder / "home", self.url, workers=2) as server:
            self._tell("started")
            organiser = self._created(server)
            bots = self._joined(server.address)
            self._tell("joined")
            self._together(bots, Bot.submit, lambda: self._kill(server, "worker"))
            self._solve_with_deletions(organiser)
            self._tell("releases")
            self._corrected(organiser)
            self._tell("corrected")
            self._begin_attacks(organiser)
            self._together(bots, Bot.attack, lambda: self._kill(server, "web"))
            self._solve_with_deletions(organiser)
            self._tell("attacks")
            self._withdrawn_and_restored(organiser)
            self._extended_at(organiser)
            board = until_answered(lambda: organiser.leaderboard(SLUG))
            self.played.entries = organiser.admin("GET", SLUG, "entries")["entries"]
        self._tell("ended")
        self._print(board)
        home = self.folder / "home"
        export = self.folder / "export.zip"
        uploads = export_with_uploads(
            open_home(home, load_settings(home, database=self.url)), SLUG, export
        )
        faults = list(checked(self.played, board, self._corrected_folder(), export, uploads))
        self._summary(faults, time.monotonic() - began)
        return faults

    def _tell(self, step: str) -> None:
        print(f"{datetime.now(UTC):%H:%M:%S} {self.preset}: {step}", file=sys.stderr, flush=True)

    def _created(self, server: ContestServer) -> ContestClient:
        now = datetime.now(UTC)
        hour = timedelta(hours=1)
        phases = [
            Phase(kind=PhaseType.ANONYMIZE, starts=now - hour, ends=now + hour),
            Phase(kind=PhaseType.ATTACK, starts=now + hour, ends=now + 2 * hour),
        ]
        path = write_sample_contest(
            self.folder / "contest", preset=self.preset, rows=self.rows, slug=SLUG, phases=phases
        )
        plain = yaml.safe_load(path.read_text(encoding="utf-8"))
        most = 2 if self.short else SUBMISSIONS
        quotas = {"uploads_per_hour": 3 * self.teams, "submissions": most}
        plain |= {"registration": "open", "quotas": quotas}
        path.write_text(yaml.safe_dump(plain, allow_unicode=True), encoding="utf-8")
        organiser = ContestClient(server.address, timeout=60)
        organiser.register("organiser", PASSWORD, server.organiser_code)
        organiser.new_token("organiser", PASSWORD)
        organiser.create_contest(self.folder / "contest")
        return organiser

    def _joined(self, address: str) -> list[Bot]:
        game = game_of(self.preset, self.folder / "contest")
        bots = [
            Bot(
                plan, game, ContestClient(address, timeout=60), self.played, int(self.short) or None
            )
            for plan in plans(self.preset, self.teams)
        ]
        for bot in bots:
            bot.join()
        return bots

    def _together(
        self, bots: Iterable[Bot], step: Callable[[Bot], None], halfway: Callable[[], None]
    ) -> None:
        """All bots at once; something happens when half of them are done."""
        playing = list(bots)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            half = [pool.submit(step, bot) for bot in playing[::2]]
            rest = [pool.submit(step, bot) for bot in playing[1::2]]
            half[0].result()
            halfway()
            for one in (*half, *rest):
                one.result()

    def _kill(self, server: ContestServer, what: str) -> None:
        running = server.processes()
        name = what if what == "web" else next(one for one in sorted(running) if one != "web")
        os.kill(running[name], signal.SIGKILL)
        self.played.killed.append(what)

    def _solve_with_deletions(self, organiser: ContestClient) -> None:
        """Wait until nothing is waiting or being judged."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            queue = until_answered(lambda: organiser.admin("GET", SLUG, "queue"))
            if not queue["waiting"] and not queue["running"]:
                return
            time.sleep(0.3)
        raise Unanswered

    def _corrected(self, organiser: ContestClient) -> None:
        """The organiser leaves an attack out of the suite, judges again, and applies it."""
        path = self._corrected_folder() / CONTEST_FILE
        plain = yaml.safe_load(path.read_text(encoding="utf-8"))
        attacks = preset_of(self.preset)["scoring"]["attacks"]
        plain["scoring"] = {**plain.get("scoring", {}), "attacks": attacks[1:]}
        path.write_text(yaml.safe_dump(plain, allow_unicode=True), encoding="utf-8")
        run = organiser.admin("POST", SLUG, "rejudge")["run"]
        until = time.monotonic() + PATIENCE
        while not organiser.admin("GET", SLUG, f"rejudge/{run}")["ready"]:
            if time.monotonic() > until:
                raise Unanswered
            time.sleep(0.3)
        organiser.admin("POST", SLUG, f"rejudge/{run}/apply")

    def _corrected_folder(self) -> Path:
        """The folder that the organiser edits; the judge's own copies have a dot in their name."""
        found = (self.folder / "home" / "contests").iterdir()
        return next(path for path in found if "." not in path.name)

    def _begin_attacks(self, organiser: ContestClient) -> None:
        now = datetime.now(UTC)
        times = [(now - timedelta(hours=1), now), (now, now + timedelta(minutes=2))]
        for place, (starts, ends) in enumerate(times):
            self._replace_member(organiser, place, starts, ends, "everybody is ready")
        self._replace_member(
            organiser, 1, now, now + timedelta(hours=1), "extended: the bots are slow"
        )

    def _extended_at(self, organiser: ContestClient) -> None:
        """The phase, longer than it was announced, ends."""
        phase = organiser.contest(SLUG)["phases"][1]
        starts, now = datetime.fromisoformat(phase["starts"]), datetime.now(UTC)
        self._replace_member(organiser, 1, starts, now, "the end")

    def _replace_member(
        self, organiser: ContestClient, place: int, starts: datetime, ends: datetime, why: str
    ) -> None:
        times = {"starts": starts.isoformat(), "ends": ends.isoformat(), "reason": why}
        organiser.admin("PUT", SLUG, f"phases/{place}", json=times)

    def _withdrawn_and_restored(self, organiser: ContestClient) -> None:
        """A withdrawal leaves the board, its undo brings the very same board back."""
        before = organiser.leaderboard(SLUG)["rows"]
        first = before[0]["entry"]
        organiser.admin("POST", SLUG, f"entries/{first}/withdraw", json={"reason": "a mistake"})
        without = organiser.leaderboard(SLUG)["rows"]
        organiser.admin("POST", SLUG, f"entries/{first}/restore", json={"reason": "undone"})
        after = organiser.leaderboard(SLUG)["rows"]
        if any(row["entry"] == first for row in without):
            self.played.faults.append("a withdrawn release stood on the board")
        if before != after:
            self.played.faults.append("the undo of a withdrawal did not bring the board back")

    def _print(self, board: dict[str, Any]) -> None:
        kinds = {plan.name: plan for plan in plans(self.preset, self.teams)}
        self.say(f"\n{self.preset}: {'team':<14} {'kind':<7} rank      U        S        total")
        for row in board["rows"]:
            plan = kinds[row["team"]]
            figures = " ".join(
                "   –    " if row[name] is None else f"{row[name]:.6f}"
                for name in ("utility", "safety", "total")
            )
            like = f"  (not above {plan.like})" if plan.like else ""
            unsafe = " unsafe" if row["unsafe"] else ""
            rank = row["rank"] or "–"
            self.say(f"  {row['team']:<22} {plan.kind:<7} {rank:>4} {figures}{unsafe}{like}")

    def _summary(self, faults: list[str], seconds: float) -> None:
        states = Counter(entry["state"] for entry in self.played.entries)
        told = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        refused = ", ".join(f"{n} × {status}" for status, n in self.played.refused.items())
        self.say(
            f"{self.preset}: {len(plans(self.preset, self.teams))} teams, "
            f"{len(self.played.entries)} uploads ({told}), "
            f"flood refused {refused or 'never'}, killed {' and '.join(self.played.killed)}, "
            f"{self.played.compared} scores compared at home, {self.played.replayed} judged again "
            f"by replay, {seconds:.0f} s: " + ("; ".join(faults) or "every check holds")
        )


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", choices=PRESETS, action="append")
    parser.add_argument("--teams", type=int, default=TEAMS)
    parser.add_argument("--rows", type=int, default=400)
    given = parser.parse_args()
    faults = []
    with ExitStack() as ending:
        scratch = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="rehearsal-")))
        server = ending.enter_context(running_postgres())
        for preset in given.preset or PRESETS:
            url = server.new_database()
            folder = scratch / preset
            folder.mkdir()
            faults += Rehearsal(preset, folder, url, given.teams, given.rows).run()
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
