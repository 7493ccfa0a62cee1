"""What the tests split from test_knowledge share."""

from __future__ import annotations

from support.period_rows import rows_of
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows

MANY = rows_of(
    [
        f"{c},0,2011/{1 + r % 6}/{1 + r},9:{r:02},i{c}x{r},1.5,{r + 1}"
        for c in range(8)
        for r in range(12)
    ]
)


def known(rows: PeriodRows = MANY, seed: int | None = 1, **given: object) -> PeriodRows:
    return PartialKnowledge(**given).of(rows, rng=Randomness(seed))
