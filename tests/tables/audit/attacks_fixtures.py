"""What the tests split from test_attacks share."""

import numpy as np
import polars as pl
import pytest

from tables.audit.people import case_of, distance, mixed, scales, seen_of
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.attacks.membership_attack import membership_attacks
from tokumei.tables.audit.audit_case import DrawnTargets


@pytest.fixture(scope="module")
def scene():
    rng = np.random.default_rng(3)
    members, control, reference = mixed(rng, 40), mixed(rng, 40), mixed(rng, 30)
    members = pl.concat([members, members[:3]])
    noise = pl.Series(rng.integers(-2, 3, members.height))
    release = members.with_columns(pl.col("age") + noise)[rng.permutation(members.height)]
    case = case_of(release, members, control, reference)
    drawn = DrawnTargets.of(case, 10_000, rng=Randomness(0))
    rows = drawn.people(case, release.columns).to_dicts()
    scale = scales(release, reference, ["age"])

    def table(left, right):
        return np.array([[distance(a, b, ["age"], scale) for b in right] for a in left])

    targets, known = rows[: len(drawn.targets)], rows[len(drawn.targets) :]
    shown = release.to_dicts()
    return {
        "case": case,
        "ty": table(targets, shown),
        "tr": table(targets, known),
        "yp": table(shown, rows),
        "yr": table(shown, known),
        "targets": len(targets),
        "rows": rows,
        "shown": shown,
    }


def made(name, scene, model="together"):
    seen, _ = seen_of(scene["case"], model)
    return membership_attacks.build(name).scores(seen)
