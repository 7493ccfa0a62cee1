from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.core.errors import InputError


def people(seed: int, rows: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 70, rows),
            "zip": rng.integers(0, 90, rows),
            "ill": rng.choice(["flu", "cold", "cough"], rows),
        }
    )


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_a_control_that_holds_members_gets_no_figure(share: float) -> None:
    members = people(1)
    planted = pl.concat([members.head(int(300 * share)), people(2, 300 - int(300 * share))])
    with pytest.raises(InputError, match="cannot serve"):
        tk.audit(members, members=members, control=planted, qi=["age", "zip"], sa=["ill"], seed=1)


def test_other_people_who_are_like_members_may_serve() -> None:
    """So few values that nearly everybody has an equal on both sides."""
    members, control = (people(seed).select("ill", age=pl.col("age") // 10) for seed in (1, 2))
    found = tk.audit(members, members=members, control=control, qi=["age"], sa=["ill"], seed=1)
    assert found.control_test.twins > 250


def test_too_few_people_are_named() -> None:
    said = {
        rows: str(
            tk.audit(
                people(1, rows), members=people(1, rows), control=people(2, rows), qi=["age"],
                sa=["ill"], kinds=["singling-out"], seed=1,
            ).warnings
        )
        for rows in (60, 250)
    }  # fmt: skip
    assert "too few" in said[60]
    assert "too few" not in said[250]
