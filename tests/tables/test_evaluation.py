"""Tests of tokumei.tables.evaluation."""

from __future__ import annotations

import numpy as np
import polars as pl

import tokumei as tk
from tables.attack_suite_helpers import DEFAULTS
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation import evaluate


def test_gaps_that_only_moved_with_their_rows_are_not_new() -> None:
    cells = [float(n) if n % 5 else None for n in range(60)]
    frame = pl.DataFrame({"q": [n % 4 for n in range(60)], "s": cells})
    table = tk.Table.of(frame, qi=["q"], sa=["s"])
    order = np.random.default_rng(1).permutation(60)
    found = tk.diagnose(table, frame[order.tolist()], seed=1)
    assert found.untold
    assert [(one.before, one.after, one.gained, one.lost) for one in found.gaps] == [(12, 12, 0, 0)]


def test_an_evaluation_holds_everything_but_the_secret() -> None:
    people = sample_table(200, seed=1)
    release = Noise(0.1).anonymize(people, rng=Randomness(1))
    found = evaluate(people, release, label="noise", rng=Randomness(2), cross=("region",))
    assert found.case.cross == ("region",)
    assert found.faults == []
    assert list(found.scores) == DEFAULTS
    assert found.strongest.rate == max(one.rate for one in found.attacks.values())
    assert len(found.exposed) == 10
    assert "link=<secret>" in repr(found)
    assert str(release.link)[1:12] not in repr(found)
