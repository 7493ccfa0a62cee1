"""What the tests split from test_defences share."""

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.tables.data.table import Table

QI = ["age", "sex", "area"]


def drawn(rows, seed):
    rng = np.random.default_rng(seed)
    return Table.of(
        pl.DataFrame(
            {
                "age": rng.integers(20, 60, rows),
                "sex": rng.choice(["F", "M"], rows),
                "area": rng.choice([f"a{i}" for i in range(12)], rows),
                "ill": rng.choice(["x", "y", "z"], rows),
            }
        ),
        qi=QI,
        sa=["ill"],
    )


def classes(release, rows):
    found = np.full(rows, -1)
    found[release.link] = equivalence_class_codes(
        release.public.frame.select(pl.col(QI).cast(pl.String)), QI
    )
    return found
