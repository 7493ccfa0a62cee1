"""Whoever reads generalized cells always has the true row among the candidates."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
import pytest

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.attackers.qi_candidates import match_consistent_qi, match_equal_qi
from tokumei.tables.data.table import Table

N = 60
CHANCE = np.random.default_rng(1)
COLUMNS: dict[str, Any] = {
    "whole numbers": CHANCE.integers(-50, 50, N),
    "reals": CHANCE.normal(size=N),
    "tiny and huge reals": 10.0 ** CHANCE.integers(-30, 30, N),
    "text": [f"t{i % 17}" for i in range(N)],
    "text that looks like numbers": [f"{i % 17}.0" for i in range(N)],
    "dates": [dt.date(2024, 1, 1) + dt.timedelta(i * 7) for i in range(N)],
    "times": [
        dt.datetime(2024, 1, 1) + dt.timedelta(hours=i * 5, microseconds=i) for i in range(N)
    ],
    "truth values": [i % 3 == 0 for i in range(N)],
    "missing among numbers": [None if i % 7 == 0 else i for i in range(N)],
    "missing among text": [None if i % 7 == 0 else f"t{i}" for i in range(N)],
    "categories": pl.Series([f"c{i % 9}" for i in range(N)], dtype=pl.Categorical),
    "decimals": pl.Series([f"{i}.50" for i in range(N)]).cast(pl.Decimal(10, 2)),
}


@pytest.mark.parametrize("k", [2, 7, N])
@pytest.mark.parametrize("name", COLUMNS)
def test_the_truth_is_among_the_candidates(name: str, k: int) -> None:
    frame = pl.DataFrame({"q": COLUMNS[name], "p": [i % 4 for i in range(N)], "s": range(N)})
    source = Table.of(frame, qi=["q", "p"], sa=["s"])
    release = Mondrian(k).anonymize(source, rng=Randomness(1))
    found = match_consistent_qi(release.public.frame, frame, ["q", "p"])
    sizes = []
    for row, origin in enumerate(release.link):
        g = found.group[row]
        candidates = found.rows[found.start[g] : found.start[g + 1]].tolist()
        assert origin in candidates
        assert len(set(candidates)) == len(candidates)
        sizes.append(len(candidates))
    # k-anonymity is what it says: nobody is narrowed down to fewer than k people
    assert min(sizes) >= k
    if k == 2:
        assert max(sizes) < N


def test_plain_cells_need_equal_text() -> None:
    known = pl.DataFrame({"q": [1, 2, 2, None]})
    released = pl.DataFrame({"q": ["2.0", "1", None, "3"]})
    found = match_equal_qi(released, known, ["q"])
    sets = [
        sorted(found.rows[found.start[g] : found.start[g + 1]].tolist()) if g >= 0 else []
        for g in found.group
    ]
    assert sets == [[1, 2], [0], [3], []]
