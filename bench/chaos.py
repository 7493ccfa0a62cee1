"""Kill −9 at random moments, under load: `python -m bench.chaos --kills 200 --database both`.

A real server (web process, two workers, supervisor) judges the uploads of teams that never stop;
one of its processes after the other is killed. After each kill the tables are checked; after some
kills pages must answer and what the killed held must be taken up within a minute; in the end
everything acknowledged must be judged, once, with the same figures as its like, and every file
that the tables name must be there.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bench.chaos_checks import Held, abandoned, faults, figures, held_by, taken_up, waiting
from bench.chaos_load import Team, make_contest
from bench.contest_server import ContestServer
from bench.postgres import running_postgres
from tokumei.apps.contest.store.backup import write_backup
from tokumei.apps.contest.store.database import Database, open_database
from tokumei.apps.contest.store.server_home import load_settings, open_home

MOST_WAITING = 12
SUPERVISOR_SHARE = 0.05
BURST = 10
STUCK_SECONDS = DRAIN_SECONDS = 60.0
LOOK_SECONDS = 0.2


@dataclass
class Found:
    """What a run saw."""

    database: str
    kills: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    acknowledged: int = 0
    judged: int = 0
    longest_recovery: float = 0.0
    longest_untaken: float = 0.0
    seconds: float = 0.0

    def __str__(self) -> str:
        kills = ", ".join(f"{count} {what}" for what, count in sorted(self.kills.items()))
        return (
            f"{self.database}: {sum(self.kills.values())} kills ({kills}) in {self.seconds:.0f} s; "
            f"{self.acknowledged} uploads acknowledged, {self.judged} judged; "
            f"pages answered again within {self.longest_recovery:.1f} s of a kill, "
            f"a killed worker's job was taken up within {self.longest_untaken:.1f} s; "
            + (f"FAULTS: {self.faults}" if self.faults else "no fault")
        )


class Chaos:
    """One server, some teams, and what is killed."""

    def __init__(self, server: ContestServer, database: Database, teams: list[Team], seed: int):
        self._server = server
        self._database = database
        self._teams = teams
        self._draw = random.Random(seed)
        self._untaken: dict[Held, float] = {}
        self._silent_since: float | None = None
        self.found = Found(database.engine.dialect.name)

    def run(self, kills: int, pause: tuple[float, float]) -> None:
        """Kill, look, check, as often as asked; after some kills the server may recover."""
        for number in range(1, kills + 1):
            self._look_until(time.monotonic() + self._draw.uniform(*pause))
            self._kill()
            self._check_rules()
            if number % BURST == 0 or number == kills:
                self._recover()

    def drain(self) -> None:
        """Let everything be judged."""
        until = time.monotonic() + DRAIN_SECONDS
        left = waiting(self._database)
        while left and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            self._check_processes()
            now = waiting(self._database)
            until = time.monotonic() + DRAIN_SECONDS if now < left else until
            left = now
        if left:
            self.found.faults.append(f"{left} not judged after {DRAIN_SECONDS:g} s without change")
        self._check_rules()
        if len(figures(self._database)) != 1:
            self.found.faults.append("the same rows got different scores")

    def _recover(self) -> None:
        """Everything works again soon after the last kill, or it is stuck."""
        until = time.monotonic() + STUCK_SECONDS
        while self._silent_since or self._untaken or abandoned(self._database):
            if time.monotonic() > until:
                self.found.faults.append(f"stuck for {STUCK_SECONDS:g} s")
                return
            self._check_processes()
            time.sleep(LOOK_SECONDS)

    def _kill(self) -> None:
        while not (running := self._server.processes()):
            self._check_processes()
        if self._draw.random() < SUPERVISOR_SHARE:
            self._silent_since = time.monotonic()
            self._server.kill()
            self._server.start()
            self.found.kills["supervisor"] += 1
            return
        name = self._draw.choice(sorted(running))
        held = held_by(self._database, name)
        try:
            os.kill(running[name], signal.SIGKILL)
        except ProcessLookupError:
            return self._kill()
        self._untaken |= {one: time.monotonic() for one in held}
        self._silent_since = time.monotonic() if name == "web" else self._silent_since
        self.found.kills["web" if name == "web" else "worker"] += 1
        return None

    def _look_until(self, until: float) -> None:
        while time.monotonic() < until:
            self._check_processes()
            time.sleep(LOOK_SECONDS)

    def _check_processes(self) -> None:
        now = time.monotonic()
        for one in taken_up(self._database, self._untaken):
            since = now - self._untaken.pop(one)
            self.found.longest_untaken = max(self.found.longest_untaken, since)
        busy = waiting(self._database) >= MOST_WAITING
        for team in self._teams:
            team.may_go_on.clear() if busy else team.may_go_on.set()
        self._ask_process()

    def _ask_process(self) -> None:
        try:
            ok = httpx.get(f"{self._server.address}/api/v1/health", timeout=10).is_success
        except httpx.TransportError:
            ok = False
        if ok and self._silent_since is not None:
            since = time.monotonic() - self._silent_since
            self.found.longest_recovery = max(self.found.longest_recovery, since)
            self._silent_since = None

    def _check_rules(self) -> None:
        acknowledged = [one for team in self._teams for one in list(team.acknowledged)]
        self.found.acknowledged = len(acknowledged)
        self.found.faults += faults(self._database, acknowledged)
        self.found.faults += [told for team in self._teams for told in team.refused]


def chaos(
    folder: Path,
    url: str | None,
    *,
    kills: int,
    pause: tuple[float, float] = (0.3, 4.0),
    teams: int = 4,
    rows: int = 60,
    seed: int = 1,
) -> Found:
    """Kill a server of its own home below `folder` so often; what was seen."""
    started = time.monotonic()
    stop = threading.Event()
    with ExitStack() as ending:
        home = folder / "home"
        server = ending.enter_context(ContestServer(home, url))
        database = open_database(load_settings(home, database=url).database)
        ending.callback(database.close)
        releases = make_contest(
            server.address, server.organiser_code, folder / "contest", rows=rows
        )
        playing = [Team(server.address, f"team {n}", releases, stop) for n in range(teams)]
        ending.callback(stop.set)
        for team in playing:
            team.start()
        run = Chaos(server, database, playing, seed)
        run.run(kills, pause)
        stop.set()
        for team in playing:
            team.join()
        run.drain()
        # Refuses if any file that the tables name is missing.
        write_backup(open_home(home, load_settings(home, database=url)), folder / "backup.zip")
        run.found.judged = run.found.acknowledged - waiting(database)
    run.found.seconds = time.monotonic() - started
    return run.found


def main() -> int:
    """Run from the command line; 1 if anything was lost, doubled or stuck."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kinds = ["sqlite", "postgresql"] if given.database == "both" else [given.database]
    found = []
    for kind in kinds:
        with ExitStack() as ending:
            folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="chaos-")))
            url = None
            if kind == "postgresql":
                url = ending.enter_context(running_postgres()).new_database()
            found.append(chaos(folder, url, kills=given.kills // len(kinds), seed=given.seed))
            print(found[-1], flush=True)
    return int(any(one.faults for one in found))


if __name__ == "__main__":
    sys.exit(main())
