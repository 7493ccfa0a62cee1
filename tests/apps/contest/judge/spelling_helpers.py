"""What the tests split from test_spelling share."""

from __future__ import annotations

import polars as pl

from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows


def rows_of(cells) -> PeriodRows:
    return PeriodRows(pl.DataFrame(cells, schema=list(PERIOD_COLUMNS), orient="row"))
