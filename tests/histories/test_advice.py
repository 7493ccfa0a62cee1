"""Advice on histories: the curve's own figures, and k between neighbours on the front."""

from __future__ import annotations

import pytest

import tokumei as tk
from tokumei.advice import Purpose, adviser
from tokumei.core.errors import UsageError


def test_figures_are_those_of_releases_made_alone() -> None:
    history = tk.sample_history(600, customers=30, seed=1)
    found = tk.advise(history, Purpose("inside"), steps=4, seconds=None, methods=("rank-match",))
    assert [one.request.k for one in found.candidates] == [3, 2]
    for one in found.candidates:
        release = tk.anonymize(history, "rank-match", k=one.request.k, seed=1)
        assert (
            one.figures.more["loss"] == tk.measure(history, release, methods=["loss"])["loss"].value
        )
        assert one.figures.people == len(release.truth())
        hits = tk.attack(history, release, seed=1)
        assert one.risk is not None
        assert one.risk.people == max(found.hits for found in hits.values())
        assert one.risk.low <= one.risk.people <= one.risk.high


def test_what_a_history_cannot_do_is_refused() -> None:
    history = tk.sample_history(300, customers=20, seed=1)
    with pytest.raises(UsageError, match="day, item"):
        adviser(history, Purpose(keep=("colour",)))
    asked = adviser(history, Purpose("inside"), methods=("rank-match",))
    first = next(asked.steps())
    with pytest.raises(UsageError, match="stay together"):
        list(asked.near(first, "drop", column="item"))
    assert [one.request.k for one in asked.near(first, "safer") if one.attacked] == [6]
