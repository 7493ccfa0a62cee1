"""The inference audit: 20,000 targets against 10,000 released rows, and a million of them.

python -m bench.audit        # also every figure of the page's tables (`bench/audit_page.py`)
"""

from __future__ import annotations

import time

import numpy as np
import polars as pl

from bench.harness import Result, apart, best_of
from tokumei.kernels.nearest import MixedPoints, find_nearest
from tokumei.tables.audit.audit import Audit, audit

COLUMNS = (("age", 73), ("sex", 2), ("town", 41), ("work", 7), ("job", 14), ("school", 16))
QI = ["age", "sex", "town", "work", "school"]


def results() -> list[Result]:
    rng = np.random.default_rng(1)
    members, control, reference = (_people(rng, 10_000) for _ in range(3))
    release = _redrawn(members, rng)

    def attack() -> Audit:
        return audit(
            release,
            members=members,
            control=control,
            reference=reference,
            qi=QI,
            sa=["job"],
            seed=1,
        )

    ours = best_of(1, attack, clock=time.process_time)
    floor = best_of(1, lambda: _floor(members, release), clock=time.process_time)
    what = "audit, all three questions, 20,000 targets × 10,000 rows (CPU s)"
    found = [Result(what, ours, floor, "one search of 10,000 rows in 10,000", "≤ 10 CPU s")]
    spent, peak = apart(million_seconds)
    what = "audit, a million released rows, 2,000 targets (CPU s)"
    return [*found, Result(what, spent, None, "", "≤ 2 GB", peak)]


def million_seconds() -> float:
    """A million released rows; a thousand people of each side are asked about."""
    rng = np.random.default_rng(1)
    members, control, reference = (_people(rng, 1000) for _ in range(3))
    release = _redrawn(_people(rng, 1_000_000), rng)
    started = time.process_time()
    audit(
        release,
        members=members,
        control=control,
        reference=reference,
        qi=QI,
        sa=["job"],
        seed=1,
    )
    return time.process_time() - started


def _people(rng: np.random.Generator, rows: int) -> pl.DataFrame:
    drawn = {name: (rng.beta(1, 2, rows) * size).astype(int) for name, size in COLUMNS}
    frame = pl.DataFrame(drawn)
    return frame.with_columns(
        ("v" + pl.col(name).cast(pl.String)).alias(name) for name in frame.columns if name != "age"
    )


def _redrawn(people: pl.DataFrame, rng: np.random.Generator, share: float = 0.2) -> pl.DataFrame:
    cells = {}
    for name in people.columns:
        own = people[name].to_numpy()
        cells[name] = np.where(rng.random(len(own)) < share, rng.permutation(own), own)
    return pl.DataFrame(cells)


def _floor(members: pl.DataFrame, release: pl.DataFrame) -> None:
    both = [
        MixedPoints(
            np.stack([frame[name].rank("dense").to_numpy() for name, _ in COLUMNS[1:]], axis=1)
            .astype(np.int32)
            .copy(order="C"),
            frame["age"].cast(pl.Float64).to_numpy().reshape(-1, 1).copy(),
            np.ones(1),
        )
        for frame in (members, release)
    ]
    find_nearest(both[0], both[1], 10)


if __name__ == "__main__":
    from bench import audit_page
    from bench.harness import as_markdown

    audit_page.main([])
    print(as_markdown(results()))
