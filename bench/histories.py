"""Histories: sweeps over k, R(n), attacks, and ten million rows."""

from __future__ import annotations

import os
import time
from pathlib import Path

from bench.harness import Result, apart, best_of
from tokumei.api.releases import anonymize
from tokumei.core.randomness import Randomness
from tokumei.core.sweep import sweep as sweep_of
from tokumei.histories.data.guess import thresholds_up_to
from tokumei.histories.data.history import History, sample_history
from tokumei.histories.kind import HISTORIES
from tokumei.histories.registry import attackers as history_attackers

SWEEP = range(2, 21)
CONTEST_ROWS = 81_776
LARGE = 10_000_000
MANY = 25_000


def results() -> list[Result]:
    found = [*_sweeps(), *_attack(), *_large(), *_many_customers()]
    found.append(Result("R(n) for all n ≤ 1,000", best_of(3, _all_thresholds), None, "", "≤ 1 s"))
    return found + _real()


def _sorts(history: History) -> None:
    """The least any sweep must do: order the rows once for every k."""
    for _ in SWEEP:
        history.frame.sort("customer", "price", "quantity", descending=True)


def _sweeps() -> list[Result]:
    history = sample_history(CONTEST_ROWS, seed=1)
    floor = best_of(3, lambda: _sorts(history))
    rank = best_of(2, lambda: sweep_of(HISTORIES, history, "rank-match", SWEEP, seed=1))
    aligned = best_of(1, lambda: sweep_of(HISTORIES, history, "aligned", SWEEP, seed=1))
    what, name = f"sweep k = 2–20, {CONTEST_ROWS:,} generated rows", "19 Polars sorts of the rows"
    return [
        Result(f"rank-match {what}", rank, floor, name, "≤ 3 s"),
        Result(f"aligned {what}", aligned, floor, name, "≤ 120 s"),
    ]


def _attack() -> list[Result]:
    history = sample_history(CONTEST_ROWS, seed=1)
    public = anonymize(history, "rank-match", k=6, seed=1).public
    attacker = history_attackers.build("best")
    ours = best_of(2, lambda: attacker.attack(public, history, rng=Randomness(1)))
    return [Result(f"best attack on {CONTEST_ROWS:,} rows, k = 6", ours, None, "", "")]


def _large() -> list[Result]:
    seconds, peak = apart(large_release)
    what = f"rank-match k = 6 with verification, {LARGE:,} generated rows"
    return [Result(what, seconds, None, "", "≤ 60 s and ≤ 6 GB", peak)]


def large_release() -> float:
    history = sample_history(LARGE, seed=1)
    started = time.perf_counter()
    anonymize(history, "rank-match", k=6, seed=1)
    return time.perf_counter() - started


def _many_customers() -> list[Result]:
    """Few rows each: what grows is the number of pairs."""
    (seconds, below), peak = apart(many_customers)
    what = f"aligned k = 5, {MANY:,} customers, {below:.1%} below rank-match: CPU seconds"
    few, _ = apart(many_customers, MANY // 5)
    name = "a fifth of the customers"
    return [Result(what, seconds, few[0], name, "≤ 120 s, ≤ 2 GB, ≥ 40 % below", peak)]


def many_customers(customers: int = MANY) -> tuple[float, float]:
    history = sample_history(customers * 14 // 5, customers=customers, seed=1)
    rank = sweep_of(HISTORIES, history, "rank-match", [5], seed=1).points[0].loss
    started = time.process_time()
    loss = sweep_of(HISTORIES, history, "aligned", [5], seed=1).points[0].loss
    return time.process_time() - started, 1 - loss / rank


def _all_thresholds() -> None:
    thresholds_up_to(1000)


def _real() -> list[Result]:
    """Online Retail, where the data is at hand."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    path = Path(os.environ.get("TOKUMEI_DATA", beside)) / "online_retail.parquet"
    if not path.exists():
        return []
    (seconds, floor), peak = apart(online_retail, str(path))
    what = "rank-match sweep k = 2–20, Online Retail (397,884 rows, 4,338 customers)"
    name = "19 Polars sorts of the rows"
    return [Result(what, seconds, floor, name, "≤ 15 s and ≤ 1 GB", peak)]


def online_retail(path: str) -> tuple[float, float]:
    from tokumei.histories.formats.online_retail import OnlineRetail

    history, _ = OnlineRetail(keep=("non-product",)).cleaned(path)
    started = time.perf_counter()
    sweep_of(HISTORIES, history, "rank-match", SWEEP, seed=1)
    seconds = time.perf_counter() - started
    return seconds, best_of(1, lambda: _sorts(history))
