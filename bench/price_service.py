"""The price service under load: `python -m bench.price_service [ROWS] [QUESTIONS] [CLIENTS]`.

A service in a process of its own holds a million people; clients in this one ask mixed questions
(k, price list, columns, conditions, people left out, several answers) as fast as they are answered.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bench.harness import Result, peak_mb
from tokumei.apps.http.server import open_listening_socket
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.service.app import create_app, make_service_server
from tokumei.apps.price.service.catalog import Catalog, Limits
from tokumei.apps.price.session import PriceSession

LISTS = 4
PROMPT = 2.0


@dataclass(frozen=True)
class Load:
    """What the clients met."""

    seconds: np.ndarray
    statuses: dict[int, int]
    optimal: int
    wall: float
    cpu: float
    peak_mb: float

    @property
    def prompt(self) -> float:
        """The share of questions answered within two seconds."""
        return (
            float((self.seconds <= PROMPT).mean())
            * self.statuses.get(200, 0)
            / sum(self.statuses.values())
        )

    def as_json(self) -> dict[str, Any]:
        p50, p95, p99 = np.quantile(self.seconds, [0.5, 0.95, 0.99])
        return {
            "questions": len(self.seconds),
            "statuses": self.statuses,
            "optimal": self.optimal,
            "within_2s": round(self.prompt, 4),
            "p50": round(p50, 3),
            "p95": round(p95, 3),
            "p99": round(p99, 3),
            "most": round(float(self.seconds.max()), 3),
            "per_second": round(len(self.seconds) / self.wall, 1),
            "cpu_per_question": round(self.cpu / len(self.seconds), 4),
            "peak_mb": round(self.peak_mb),
        }


def load(rows: int = 1_000_000, questions: int = 1000, clients: int = 8) -> Load:
    """Ask the questions and measure."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=_serve, args=(rows, theirs), daemon=True)
    server.start()
    address, ids, columns = ours.recv()
    asked = _mixed(questions, ids, columns)
    with httpx.Client(base_url=address, timeout=120) as client, ThreadPoolExecutor(clients) as pool:
        ours.send("used")
        before = ours.recv()[0]
        began = time.perf_counter()
        found = list(pool.map(lambda question: _ask(client, question), asked))
        wall = time.perf_counter() - began
        ours.send("used")
        after, peak = ours.recv()
    ours.send("end")
    server.join(30)
    statuses = [status for _, status, _ in found]
    return Load(
        np.array([seconds for seconds, _, _ in found]),
        {status: statuses.count(status) for status in set(statuses)},
        sum(optimal for _, _, optimal in found),
        wall,
        after - before,
        peak,
    )


def _serve(rows: int, pipe: Connection) -> None:
    """The service; tells its CPU seconds and peak memory when asked."""
    import threading

    with tempfile.TemporaryDirectory() as folder:
        prices = [_prices(Path(folder, f"prices{seed}.csv"), seed) for seed in range(LISTS)]
    session = PriceSession(sample_prices(rows, seed=1)[0], prices[0])
    desk, limits = Catalog({"people": session}, prices), Limits()
    server = make_service_server(create_app(desk, limits), limits)
    with open_listening_socket("127.0.0.1", 0) as taken:
        thread = threading.Thread(target=server.run, args=([taken],))
        thread.start()
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        pipe.send((address, [one["id"] for one in desk.prices_json()], list(session.columns)))
        while pipe.recv() == "used":
            pipe.send((time.process_time(), peak_mb()))
        server.should_exit = True
        thread.join()


def _prices(path: Path, seed: int) -> PriceList:
    sample_prices(10, seed=seed)[1].write_csv(path)
    return PriceList.read(path)


def _mixed(questions: int, ids: list[str], columns: list[str]) -> list[dict[str, Any]]:
    rng = np.random.default_rng(7)
    return [_question(rng, ids, columns) for _ in range(questions)]


def _question(rng: np.random.Generator, ids: list[str], columns: list[str]) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "session": "people",
        "prices": str(rng.choice(ids)),
        "k": int(np.exp(rng.uniform(np.log(2), np.log(5000)))),
        "best": int(rng.choice([1, 1, 1, 3])),
        "suppression": float(rng.choice([0, 0, 0, 0.001, 0.01, 0.05])),
    }
    chosen = columns
    if rng.random() < 0.3:
        size = int(rng.integers(3, len(columns)))
        chosen = asked["columns"] = [str(one) for one in rng.choice(columns, size, replace=False)]
    if rng.random() < 0.2:
        asked["go"] = [chosen[-1]]
    if rng.random() < 0.2:
        asked["least"] = {chosen[0]: 1.0}
    return asked


def _ask(client: httpx.Client, question: dict[str, Any]) -> tuple[float, int, bool]:
    began = time.perf_counter()
    response = client.post("/v1/optimum", json=question)
    spent = time.perf_counter() - began
    return spent, response.status_code, bool(response.json().get("optimal"))


def results() -> list[Result]:
    found = load()
    target = f"95 % within {PROMPT:g} s (here {100 * found.prompt:.1f} %)"
    what = "price service: 95 % of 1,000 questions, 8 clients"
    p95 = float(np.quantile(found.seconds, 0.95))
    return [Result(what, p95, None, "", target, found.peak_mb)]


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    print(json.dumps(load(*map(int, sys.argv[1:])).as_json(), indent=2))
