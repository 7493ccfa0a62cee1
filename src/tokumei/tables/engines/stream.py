"""Rows on this machine's disk, larger than its memory (Polars streams them).

    engine = StreamingEngine()
    tuples = engine.tuples(source, ["age", "sex"])      # distinct rows with counts, in memory
    rows = engine.give(source.scan(), tuples, kept, cells)
    for some in rows.in_order(1000): ...                # recoded, chunk by chunk
    rows.in_random_order(folder, sizes, rng=rng)        # shuffled, part by part

Only distinct tuples and a part of the rows are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import ClassVar

import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.files.column_types import typed
from tokumei.tables.data.counted import COUNT
from tokumei.tables.engines.stream_files import Streamed

CHUNK, PART = 2**27, 2**28
"""Bytes of rows in memory at a time: read and recoded, and shuffled."""
_PART, _NUMBER, _KEY = "tokumei_part", "tokumei_number", "tokumei_key"


@dataclass(frozen=True)
class Sizes:
    """How many rows are handled at a time, and into how many parts they are shuffled."""

    chunk: int
    parts: int

    @classmethod
    def of(cls, rows: int, row_bytes: float) -> Sizes:
        """For so many rows that take about so many bytes each."""
        return cls(max(1, int(CHUNK / row_bytes)), max(1, int(rows * row_bytes / PART)))


@dataclass(frozen=True, eq=False)
class RecodedRows:
    """Rows that carry the number of their tuple until they are written, because it is small."""

    rows: pl.LazyFrame = field(repr=False)
    cells: pl.DataFrame = field(repr=False)
    """The new cells, one row for each number."""
    names: list[str]

    def drop(self, names: Sequence[str]) -> RecodedRows:
        """The rows without some columns that are not recoded."""
        kept = [name for name in self.names if name not in names]
        return RecodedRows(self.rows.drop(names, strict=False), self.cells, kept)

    def in_order(self, chunk: int) -> Iterator[pl.DataFrame]:
        """The rows, chunk by chunk."""
        yield from map(self._dressed, self._chunks(chunk))

    def in_random_order(
        self, folder: Path, sizes: Sizes, *, rng: Randomness
    ) -> Iterator[pl.DataFrame]:
        """The rows in a uniformly random order, part by part.

        Every row goes to a part drawn for it, on disk; each part is then shuffled in memory. With a
        seed the order depends on neither threads nor the size of chunks.
        """
        where, inside = rng.child("part"), rng.child("inside")
        written: list[list[Path]] = [[] for _ in range(sizes.parts)]
        for number, chunk in enumerate(self._chunks(sizes.chunk)):
            chosen = where.integers(sizes.parts, chunk.height)
            grouped = chunk.with_columns(pl.Series(_PART, chosen)).partition_by(
                _PART, as_dict=True, include_key=False
            )
            for (part,), some in grouped.items():
                path = folder / f"{part}-{number}.arrow"
                some.write_ipc(path, compression="lz4")
                written[part].append(path)
        for paths in written:
            if paths:
                rows = pl.concat([pl.read_ipc(path) for path in paths])
                yield self._dressed(rows[inside.permutation(rows.height)])
            for path in paths:
                path.unlink()

    def _chunks(self, chunk: int) -> Iterator[pl.DataFrame]:
        yield from self.rows.collect_batches(
            chunk_size=chunk, maintain_order=True, engine="streaming"
        )

    def _dressed(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.hstack(self.cells[rows[_NUMBER]]).select(self.names)


@dataclass(frozen=True)
class StreamingEngine:
    """One machine, rows on its disk."""

    name: ClassVar[str] = "stream"

    def tuples(self, source: Streamed, columns: Sequence[str]) -> pl.DataFrame:
        """The distinct tuples of `columns` as they stand in the file, with counts, sorted."""
        counted = source.scan().group_by(list(columns)).agg(pl.len().alias(COUNT))
        return counted.collect(engine="streaming").sort(list(columns))

    def give(
        self, rows: pl.LazyFrame, tuples: pl.DataFrame, kept: pl.DataFrame, cells: pl.DataFrame
    ) -> RecodedRows:
        """Rows whose tuple is row i of `kept` get row i of `cells`; the others are dropped.

        `tuples` has every tuple that occurs in the rows.
        """
        on = kept.columns
        key = _key(tuples.select(on)).alias(_KEY)
        numbers = kept.select(key).with_row_index(_NUMBER).lazy()
        # Comparing one number is three times as fast as comparing tuples of text.
        numbered = (
            rows.with_columns(key)
            .drop(on)
            .join(numbers, on=_KEY, how="inner", maintain_order="left")
            .drop(_KEY)
        )
        return RecodedRows(numbered, cells, rows.collect_schema().names())


def _key(tuples: pl.DataFrame) -> pl.Expr:
    """A number for each tuple that no other one of these has."""
    distinct = tuples.lazy().unique().collect(engine="streaming")
    keys = (_hashed(tuples.columns, seed) for seed in count())
    return next(key for key in keys if distinct.select(key.is_unique().all()).item())


def _hashed(columns: Sequence[str], seed: int) -> pl.Expr:
    return pl.struct(columns).hash(seed)


def typed_cells(source: Streamed, tuples: pl.DataFrame) -> pl.DataFrame:
    """The tuples in the types that the reader of whole files would give them."""
    return typed(tuples) if source.is_text else tuples
