"""Rows in this machine's memory, in Polars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.data.codes import dense_codes
from tokumei.engine.protocol import Frequencies


@dataclass(frozen=True)
class LocalEngine:
    """The default engine: one machine, all cores through Polars."""

    name: ClassVar[str] = "local"

    def frequencies(self, frame: pl.DataFrame, columns: Sequence[str]) -> Frequencies:
        """Distinct tuples of `columns` with counts."""
        names = list(columns)
        counted = frame.select(names).group_by(names).len("tokumei_count").sort(names)
        values = tuple(counted[name].unique().sort(nulls_last=False) for name in names)
        codes = np.column_stack(
            [dense_codes(counted[name], value) for name, value in zip(names, values, strict=True)]
        )
        return Frequencies(
            tuple(names), values, codes, counted["tokumei_count"].to_numpy().astype(np.int64)
        )

    def recode(
        self, frame: pl.DataFrame, frequencies: Frequencies, cells: dict[str, pl.Series]
    ) -> pl.DataFrame:
        """Replace columns: tuple t gets `cells[column][t]`; rows keep their order."""
        names = list(frequencies.columns)
        mapping = pl.DataFrame(
            {
                name: frequencies.values[j].gather(frequencies.codes[:, j])
                for j, name in enumerate(names)
            }
        ).with_columns(**{f"tokumei_new_{name}": cell for name, cell in cells.items()})
        joined = frame.join(mapping, on=names, how="left", nulls_equal=True, maintain_order="left")
        new = [pl.col(f"tokumei_new_{name}").alias(name) for name in cells]
        return joined.with_columns(new).select(frame.columns)
