"""What every method promises of its release: secrecy, links that lead back, seeds, claims."""

from __future__ import annotations

import numpy as np
import pytest

from tables.anonymizers.releases_helpers import METHODS, PEOPLE, every_method, release
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.registry import anonymizers
from tokumei.tables.verification.claims import claim_violations


def test_every_registered_method_is_here() -> None:
    """But `defend`, which searches for seconds (`tests/tables/test_defending.py`), and `safepub`,

    which takes neither a seed nor columns that are no QI (`test_safepub.py`).
    """
    here = {method.name for method in METHODS}
    assert {*here, "defend", "safepub"} == {*anonymizers.names(), "pipeline"}


@every_method
def test_claims_hold(method: TableMethod) -> None:
    made = release(method)
    assert claim_violations(made.public, made.claims) == []


def test_shuffled_rows_are_where_chance_puts_them() -> None:
    """No row stays near its place: the mean shift of a random order is a third of the length."""
    link = Noise(0.0).anonymize(PEOPLE, rng=Randomness(5)).link
    assert 80 < np.abs(link - np.arange(300)).mean() < 120


def test_equal_steps_of_a_pipeline_draw_their_own_chance() -> None:
    once = Noise(1.0, unit="absolute").anonymize(PEOPLE, rng=Randomness(1), shuffle=False)
    twice = Pipeline((Noise(1000.0, unit="absolute"),) * 2)
    food = PEOPLE.frame["food"].to_numpy()
    moved = twice.anonymize(PEOPLE, rng=Randomness(1), shuffle=False).public.frame["food"] - food
    assert moved.std() == pytest.approx(1000 * 2**0.5, rel=0.2)  # not 2000
    assert once.public.rows == 300


@pytest.mark.parametrize("method", ["local", "flash", "datafly", "auto"])
@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_suppression_is_a_share(method: str, share: float) -> None:
    with pytest.raises(UsageError, match="suppression must lie between 0 and 1"):
        anonymizers.build(method, {"suppression": share})
