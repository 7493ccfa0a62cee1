"""Weights of columns: the best full-domain recoding against all levels, and who loses less."""

from __future__ import annotations

import polars as pl
import pytest

import tokumei as tk
from tables.anonymizers.recoding.weights_helpers import NAMES, table
from tokumei.core.errors import UsageError


def test_a_heavy_column_loses_less_and_weights_are_told() -> None:
    frame = table()
    losses = {}
    for heavy in NAMES:
        release = tk.anonymize(frame, "local", k=5, qi=NAMES, weights={heavy: 20.0}, seed=1)
        exact = frame[heavy].cast(pl.String).gather(release.link)
        losses[heavy] = (release.public.frame[heavy].cast(pl.String) != exact).mean()
        assert f"{heavy} × 20" in release.provenance.searches[0].note.show("en")
        assert release.provenance.steps[0]["weights"] == {heavy: 20.0}
        light = next(name for name in NAMES if name != heavy)
        other = tk.anonymize(frame, "local", k=5, qi=NAMES, weights={light: 20.0}, seed=1)
        moved = frame[heavy].cast(pl.String).gather(other.link)
        assert losses[heavy] <= (other.public.frame[heavy].cast(pl.String) != moved).mean()


@pytest.mark.parametrize("wrong", [{"age": 0}, {"age": float("inf")}, {"aeg": 2.0}])
def test_weights_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        tk.anonymize(table(), "local", k=5, qi=NAMES, weights=wrong, seed=1)
