"""A contest's server under load: `python -m bench.contest_load [TEAMS] [UPLOADS] [SECONDS] [ROWS]`.

Teams send releases of the real contest's size at random moments within five minutes, one more team
sends without a pause whatever it is told, and somebody looks at pages. Measured: how long an upload
takes to be checked, queued, answered; how long pages take meanwhile; whether everything is judged,
once; what an upload costs the pages' process and its checker in processor time, which a busy
machine does not change. The server is a process of its own, started by its command, on the clients'
machine. The last line sums it up.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bench.harness import write_section
from bench.processes import spent_below
from tokumei.apps.contest.demo import write_demo_contest
from tokumei.pseudonyms.judge.bots import made_release, read_source

SLUG = "load"
PASSWORD = "a long enough password"
PAGES = ("", "/leaderboard", "/matrix", "/entries", "/submit", "/targets")
LOOK_SECONDS = 0.5
FLOOD_AT_ONCE = 4
DRAIN_SECONDS = 7200
ENDED = {"scored", "rejected", "failed"}


@dataclass
class Load:
    """What was met."""

    accept: list[float] = field(default_factory=list)
    pages: dict[str, list[float]] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    flood: Counter[int] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    sent: set[str] = field(default_factory=set)
    sending: float = 0.0
    drained: float = 0.0
    waiting_at_end: int = 0
    failed_pages: int = 0
    cpu: dict[str, float] = field(default_factory=dict)
    """Processor seconds while uploads were sent, by what used them."""

    def as_json(self) -> dict[str, Any]:
        looked = [seconds for one in self.pages.values() for seconds in one]
        return {
            "uploads": len(self.accept),
            "statuses": dict(self.statuses),
            "flood": dict(self.flood),
            "accept": _quantiles(self.accept),
            "accepted_within_2s": round(float((np.array(self.accept) <= 2).mean()), 4),
            "pages": _quantiles(looked),
            "slowest_page": max(self.pages, key=lambda name: max(self.pages[name])),
            "pages_within_1s": round(float((np.array(looked) <= 1).mean()), 4),
            "failed_pages": self.failed_pages,
            "sending_seconds": round(self.sending, 1),
            "waiting_when_all_were_sent": self.waiting_at_end,
            "drained_after_seconds": round(self.drained, 1),
            "states": dict(self.states),
            "cpu_seconds": {name: round(spent, 1) for name, spent in self.cpu.items()},
            "cpu_seconds_an_upload": round(self._map_clusters(), 3),
            "lost": len(self.sent) - sum(self.states[state] for state in ENDED),
        }

    def _map_clusters(self) -> float:
        """What the pages' process and its checker used for an upload, the flood's counted too."""
        taken = len(self.accept) + sum(self.flood.values())
        return (self.cpu.get("web", 0.0) + self.cpu.get("check", 0.0)) / max(1, taken)


def _quantiles(seconds: list[float]) -> dict[str, float]:
    p50, p95, p99 = np.quantile(seconds, [0.5, 0.95, 0.99])
    found = {"p50": p50, "p95": p95, "p99": p99, "most": max(seconds)}
    return {name: round(float(value), 3) for name, value in found.items()}


@contextmanager
def served(home: Path, workers: int) -> Iterator[dict[str, Any]]:
    """The server's own announcement; it ends with the block."""
    command = [sys.executable, "-m", "tokumei", "contest", "serve", str(home), "--port", "0"]
    command += ["--workers", str(workers), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield {**_document(process.stdout), "process": process.pid}
        finally:
            process.terminate()


def _document(lines: Iterator[str]) -> dict[str, Any]:
    text = ""
    for line in lines:
        text += line
        if line.startswith("}"):
            return dict(json.loads(text))
    raise RuntimeError("the server did not start")


def _zip(folder: Path) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
    return made.getvalue()


def releases(folder: Path, rows: int, wanted: int) -> list[bytes]:
    """The contest's folder, and some releases of it that keep the rules."""
    quotas = {"submissions_per_day": 100, "uploads_per_hour": 100}
    write_demo_contest(
        folder,
        starts=datetime.now(UTC),
        slug=SLUG,
        rows=rows,
        customers=max(20, rows // 90),
        quotas=quotas,
    )
    noise = {"day": 15, "time": "constant", "price_noise": 0.1, "quantity_noise": 2}
    history = read_source(folder)
    return [
        made_release(history, {"lifetime": 1 + seed % 4, **noise}, seed=seed)
        for seed in range(wanted)
    ]


async def _member(address: str, name: str, code: str | None = None) -> httpx.AsyncClient:
    """A client with the token of a new account."""
    client = httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=300)
    account = {"name": name, "password": PASSWORD}
    await _ok(client.post("/register", json={**account, "invite": code} if code else account))
    found = await _ok(client.post("/tokens", json={**account, "label": "load"}))
    client.headers["authorization"] = f"Bearer {found['token']}"
    return client


async def _ok(request: Any) -> Any:
    response = await request
    if response.status_code >= 400:
        raise RuntimeError(f"{response.request.url}: {response.status_code} {response.text[:500]}")
    return response.json()


async def play(
    started: dict[str, Any], folder: Path, made: list[bytes], teams: int, each: int, seconds: float
) -> Load:
    """All of it."""
    address, load = started["address"], Load()
    organiser = await _member(address, "organiser", started["organiser_code"])
    files = {"file": ("contest.zip", _zip(folder), "application/zip")}
    await _ok(organiser.post("/contests", files=files))
    members = [await _member(address, f"member-{place}") for place in range(teams)]
    for place, member in enumerate(members):
        await _ok(member.post(f"/contests/{SLUG}/teams", json={"name": f"Team {place}"}))
    draw, began = np.random.default_rng(1), time.perf_counter()
    moments = draw.uniform(0, seconds, (teams, each))
    looking = asyncio.create_task(_look(address, load))
    flooder = await _member(address, "flooder")
    await _ok(flooder.post(f"/contests/{SLUG}/teams", json={"name": "Flood"}))
    flooding = [asyncio.create_task(_flood(flooder, made[0], load)) for _ in range(FLOOD_AT_ONCE)]
    before = spent_below(started["process"])
    await asyncio.gather(
        *(
            _send(member, _own(made, place * each + turn), began + moments[place, turn], load)
            for place, member in enumerate(members)
            for turn in range(each)
        )
    )
    load.sending = time.perf_counter() - began
    after = spent_below(started["process"])
    load.cpu = {name: spent - before.get(name, 0.0) for name, spent in after.items()}
    for flood in flooding:
        flood.cancel()
    queue = await _ok(organiser.get(f"/contests/{SLUG}/admin/queue"))
    load.waiting_at_end = queue["waiting"] + queue["running"]
    await _drain(members, load, began)
    if looking.done():
        looking.result()
    looking.cancel()
    return load


def _own(made: list[bytes], number: int) -> bytes:
    """A release that nobody else sent: another minute in one row."""
    return made[number % len(made)].replace(b",12:00,", f",12:{number % 60:02d},".encode(), 1)


async def _send(member: httpx.AsyncClient, data: bytes, at: float, load: Load) -> None:
    await asyncio.sleep(max(0.0, at - time.perf_counter()))
    began = time.perf_counter()
    files = {"file": ("A.csv", data, "text/csv")}
    response = await member.post(f"/contests/{SLUG}/submissions", files=files)
    load.accept.append(time.perf_counter() - began)
    load.statuses[response.status_code] += 1
    if response.status_code < 300:
        load.sent.add(response.json()["id"])


async def _flood(member: httpx.AsyncClient, data: bytes, load: Load) -> None:
    """One team that never waits; its uploads are not counted."""
    while True:
        files = {"file": ("A.csv", data, "text/csv")}
        response = await member.post(f"/contests/{SLUG}/submissions", files=files)
        load.flood[response.status_code] += 1


async def _look(address: str, load: Load) -> None:
    """A member of a team looks at pages, one after the other."""
    async with httpx.AsyncClient(base_url=address, timeout=60, follow_redirects=True) as client:
        form = (await client.get("/login")).text
        (token,) = set(re.findall(r'name="token" value="([^"]+)"', form))
        account = {"name": "member-0", "password": PASSWORD, "token": token}
        await client.post("/login", data=account, headers={"origin": address})
        while True:
            for page in PAGES:
                began = time.perf_counter()
                response = await client.get(f"/c/{SLUG}{page}")
                if response.url.path.startswith("/login"):
                    raise RuntimeError("nobody is logged in")
                load.pages.setdefault(page or "/", []).append(time.perf_counter() - began)
                load.failed_pages += response.status_code != 200
                await asyncio.sleep(LOOK_SECONDS)


async def _drain(members: list[httpx.AsyncClient], load: Load, began: float) -> None:
    """Wait until everything that was sent has an end."""
    while time.perf_counter() - began < DRAIN_SECONDS:
        states: Counter[str] = Counter()
        for member in members:
            found = await _ok(member.get(f"/contests/{SLUG}/submissions"))
            sent = [entry for entry in found["entries"] if entry["id"] in load.sent]
            states.update(entry["state"] for entry in sent)
        load.states, load.drained = states, time.perf_counter() - began
        if sum(states[state] for state in ENDED) == len(load.sent):
            return
        await asyncio.sleep(5)


def as_lines(told: dict[str, Any]) -> str:
    """The figures as a table."""
    accept, pages = told["accept"], told["pages"]
    rows = [
        ("uploads sent (teams, MB each)", f"{told['uploads']} ({told['teams']}, {told['mb']})", ""),
        ("one team floods: answers", ", ".join(f"{n} × {s}" for s, n in told["flood"].items()), ""),
        ("sent within", f"{told['sending_seconds']} s", "300 s"),
        ("accepted within 2 s", f"**{told['accepted_within_2s']:.1%}**", "≥ 95 %"),
        ("upload answered: p50, p95, p99, most", _row(accept), "p95 ≤ 2 s"),
        ("page meanwhile: p50, p95, p99, most", _row(pages), "< 1 s"),
        ("processor time of pages and checks", f"{told['cpu_seconds_an_upload']} s an upload", ""),
        ("queue when all were sent", str(told["waiting_when_all_were_sent"]), ""),
        ("all judged after", f"{told['drained_after_seconds']} s", ""),
        ("lost", str(told["lost"]), "0"),
        ("load of the machine before", told["load_before"], ""),
    ]
    lines = ["| what | found | target |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def _row(quantiles: dict[str, float]) -> str:
    return ", ".join(f"{value:.2f}" for value in quantiles.values()) + " s"


def summary(told: dict[str, Any]) -> str:
    """One line."""
    share, lost = told["accepted_within_2s"], told["lost"]
    good = share >= 0.95 and not lost and not told["failed_pages"]
    odd = {status: n for status, n in told["statuses"].items() if int(status) >= 300}
    return (
        f"contest-load: {told['uploads']} uploads of {told['mb']} MB in {told['sending_seconds']} s"
        f" beside {sum(told['flood'].values())} of one flood: {share:.1%} answered within 2 s"
        f" (p95 {told['accept']['p95']:.2f} s), pages p95 {told['pages']['p95']:.2f} s,"
        f" {told['cpu_seconds_an_upload']} CPU s an upload, {lost} lost,"
        f" refused: {odd or 'none'}, load before {told['load_before']}:"
        f" {'target met' if good else 'TARGET MISSED'} (95 % within 2 s)"
    )


def main() -> None:
    given = [int(one) for one in sys.argv[1:]]
    teams, each, seconds, rows = [*given, *(50, 10, 300, 44_917)[len(given) :]]
    before = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "contest")
        made = releases(folder, rows, 8)
        with served(Path(scratch, "home"), workers=1) as started:
            load = asyncio.run(play(started, folder, made, teams, each, seconds))
    told = load.as_json() | {"teams": teams, "mb": round(len(made[0]) / 1e6, 2)}
    told["load_before"] = before
    print(json.dumps(told, indent=2))
    print(summary(told))
    if not given:
        write_section("The contest's server under load (`make contest-load`)", as_lines(told))


if __name__ == "__main__":
    main()
