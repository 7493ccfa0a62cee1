"""The distinct rows of a released history, read into arrays.

Equal rows of one pseudonym are kept once with the number of `times` they occur, and pseudonyms
with the same row as often share it: k identical histories cost no more than one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from tokumei.core.cells import STAR
from tokumei.histories.attackers.protocol import require_pairs
from tokumei.histories.data.cell_text import parse_general
from tokumei.histories.data.general import GeneralHistory, ItemSets, Spans
from tokumei.histories.data.history import NUMBERS, History

LOWEST, HIGHEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class ReleasedRows:
    """Distinct rows: ends of the three numeric cells (rows × 3), the item set, how often.

    A `*` reaches from the lowest to the highest number; an empty item set stands for any item.
    `owners` has a one where a pseudonym (row) has the distinct row (column).
    """

    low: np.ndarray
    high: np.ndarray
    item_set: np.ndarray
    times: np.ndarray
    sets: ItemSets
    owners: csr_array
    pseudonyms: pl.Series

    @property
    def rows_of(self) -> np.ndarray:
        """How many released rows each pseudonym has."""
        return np.asarray(self.owners @ self.times)


def pseudonyms_of(public: pl.DataFrame) -> pl.Series:
    """The pseudonyms by first appearance."""
    people = public["customer"].cast(pl.String)
    return people.filter(people != STAR).unique(maintain_order=True)


def read_released(public: pl.DataFrame, known: History) -> GeneralHistory:
    """The public text cells as arrays, items and prices in the terms of what is known."""
    rows = public.filter(pl.col("customer") != STAR)
    require_pairs(rows["customer"].n_unique(), len(known.customers))
    return parse_general(rows, known.item_names, decimals=known.decimals)


def released_rows(general: GeneralHistory, *, numbers: bool = True) -> ReleasedRows:
    """The distinct rows of a release; without `numbers` by their items alone."""
    columns = NUMBERS if numbers else ()
    codes = {name: general.spans(name).code for name in columns} | {"item": general.item.code}
    frame = pl.DataFrame({"person": general.person} | codes).filter(pl.Series(general.kept))
    counted = frame.group_by(pl.all(), maintain_order=True).agg(pl.len().alias("times"))
    keys = [*codes, "times"]
    distinct = counted.select(keys).unique(maintain_order=True).with_row_index("place")
    place = counted.join(distinct, on=keys, how="left", maintain_order="left")["place"].to_numpy()
    ends = [_ends(general.spans(name), distinct, name, numbers) for name in NUMBERS]
    shape = (len(general.pseudonyms), distinct.height)
    owners = csr_array((np.ones(len(place)), (counted["person"].to_numpy(), place)), shape=shape)
    owners.sort_indices()
    return ReleasedRows(
        np.stack([low for low, _ in ends], axis=1),
        np.stack([high for _, high in ends], axis=1),
        distinct["item"].to_numpy(),
        distinct["times"].cast(pl.Int64).to_numpy(),
        general.item,
        owners,
        general.pseudonyms,
    )


def _ends(
    spans: Spans, distinct: pl.DataFrame, name: str, numbers: bool
) -> tuple[np.ndarray, np.ndarray]:
    if not numbers:
        return np.full(distinct.height, LOWEST), np.full(distinct.height, HIGHEST)
    code = distinct[name].to_numpy()
    low, high = np.where(spans.star, LOWEST, spans.low), np.where(spans.star, HIGHEST, spans.high)
    return low[code], high[code]
