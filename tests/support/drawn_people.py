"""People drawn over the built-in hierarchies of sex, occupation and height."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.tables.hierarchies.choose import choose_hierarchies

GIVEN = {"sex": "sex", "occupation": "occupation", "height": "height"}


def people(rows: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    trees = choose_hierarchies(
        GIVEN,
        pl.DataFrame({"sex": ["男性"], "occupation": ["教員"], "height": [170]}),
        list(GIVEN),
    )
    columns = {n: t.leaves.gather(rng.integers(0, len(t.leaves), rows)) for n, t in trees.items()}
    return pl.DataFrame(columns)
