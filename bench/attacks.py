"""The attack suite against a dense distance matrix, and EUC2 on 100,000 rows."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from bench.harness import Result, apart, best_of
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.neighbour_search import nearest_points
from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.table import Release, Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.registry import anonymizers, attackers

PAPER = ("E1", "E2", "E3", "E4", "EUC1", "EUC2")
BLAS_SHARE = 20


def results() -> list[Result]:
    return [*_suite(), *_large(0.05), *_heavy()]


def _release(rows: int, method: str, **params: object) -> tuple[Table, Release]:
    original = sample_table(rows, seed=1)
    return original, anonymizers.build(method, params).anonymize(original, rng=Randomness(2))


def _suite() -> list[Result]:
    found = []
    for method, params in (("noise", {"scale": 0.05}), ("mondrian", {"k": 5})):
        original, release = _release(8333, method, **params)

        def attack(original: Table = original, release: Release = release) -> None:
            for name in PAPER:
                attackers.build(name).attack(release.public, Knowledge(original), rng=Randomness(3))

        ours = best_of(5, attack)
        floor = best_of(3, partial(dense_distances, *_values(original, release)))
        what = f"E1–E4, EUC1, EUC2 on 8,333 × 25 ({method})"
        name = "one dense 8,333² distance matrix (NumPy)"
        found.append(Result(what, ours, floor, name, "≤ 1 s and ratio < 1"))
    return found


def dense_distances(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    squares = (x * x).sum(axis=1)[None, :] + (y * y).sum(axis=1)[:, None]
    return np.asarray(np.sqrt(np.maximum(squares - 2 * y @ x.T, 0.0)))


def _values(original: Table, release: Release) -> tuple[np.ndarray, np.ndarray]:
    names = original.schema.sa
    return original.numbers(names), release.public.numbers(names)


def _large(scale: float) -> list[Result]:
    found = []
    for usable in (True, False):
        ours, peak = apart(euc2_seconds, scale, usable)
        what = f"EUC2 on 100,000 × 25, noise {scale} sd, QI {'match' if usable else 'unusable'}"
        found.append(Result(what, ours, None, "", "≤ 15 s and ≤ 2 GB", peak))
    return found


def euc2_seconds(scale: float, usable: bool) -> float:
    original, release = _release(100_000, "noise", scale=scale)
    known = original if usable else Table.of(original, qi=[], sa=original.schema.sa)
    attacker = attackers.build("EUC2")
    started = time.perf_counter()
    attacker.attack(release.public, Knowledge(known), rng=Randomness(3))
    return time.perf_counter() - started


def _heavy() -> list[Result]:
    found = []
    for standardized in (False, True):
        original, release = _release(100_000, "noise", scale=0.6)
        x, y = _values(original, release)
        scale = x.std(axis=0) if standardized else np.ones(x.shape[1])
        x, y = x / scale, y / scale
        ours = best_of(1, partial(nearest_points, x, y))
        part = y[: len(y) // BLAS_SHARE]
        floor = BLAS_SHARE * best_of(2, partial(blocked_blas, x, part))
        kind = "standardized" if standardized else "raw"
        what = f"nearest of all, 100,000 × 12 {kind}, noise 0.6 sd"
        name = f"blocked BLAS, 1/{BLAS_SHARE} of the queries × {BLAS_SHARE}"
        found.append(Result(what, ours, floor, name, "ratio ≤ 1"))
    return found


def blocked_blas(x: np.ndarray, y: np.ndarray, block: int = 512) -> np.ndarray:
    squares = (x * x).sum(axis=1)
    answers = np.empty(len(y), dtype=np.int64)
    for begin in range(0, len(y), block):
        part = y[begin : begin + block]
        answers[begin : begin + block] = (squares - 2 * part @ x.T).argmin(axis=1)
    return answers
