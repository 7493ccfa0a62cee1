"""Rows on this machine's disk, larger than its memory (Polars streams them).

    engine = StreamingEngine()
    tuples = engine.tuples(source, ["age", "sex"])      # distinct rows with counts, in memory
    engine.give(source, tuples, cells)                  # a lazy frame, recoded
    in_random_order(rows, folder, expected=n, rng=rng)  # shuffled, part by part

Only distinct tuples and a part of the rows are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from tokumei.data.counted import COUNT
from tokumei.data.files.column_types import typed
from tokumei.data.randomness import Randomness
from tokumei.engine.stream_files import Streamed

CHUNK, PART = 500_000, 1_500_000
"""Rows in memory at a time: read and recoded, and shuffled."""
_PART, _NEW = "tokumei_part", "tokumei_new_"


@dataclass(frozen=True)
class StreamingEngine:
    """One machine, rows on its disk."""

    name: ClassVar[str] = "stream"

    def tuples(self, source: Streamed, columns: Sequence[str]) -> pl.DataFrame:
        """The distinct tuples of `columns` as they stand in the file, with counts, sorted."""
        counted = source.scan().group_by(list(columns)).agg(pl.len().alias(COUNT))
        return counted.collect(engine="streaming").sort(list(columns))

    def give(self, rows: pl.LazyFrame, source: pl.DataFrame, cells: pl.DataFrame) -> pl.LazyFrame:
        """Rows whose tuple is row i of `source` get row i of `cells`; the others are dropped."""
        on = source.columns
        new = cells.rename({name: _NEW + name for name in cells.columns})
        joined = rows.join(
            pl.concat([source, new], how="horizontal").lazy(),
            on=on,
            how="inner",
            nulls_equal=True,
            maintain_order="left",
        )
        given = [
            pl.col(_NEW + name).alias(name) if name in cells.columns else pl.col(name)
            for name in rows.collect_schema().names()
        ]
        return joined.select(given)


def typed_cells(source: Streamed, tuples: pl.DataFrame) -> pl.DataFrame:
    """The tuples in the types that the reader of whole files would give them."""
    return typed(tuples) if source.is_text else tuples


def in_order(rows: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """The rows, chunk by chunk."""
    yield from rows.collect_batches(chunk_size=CHUNK, maintain_order=True, engine="streaming")


def in_random_order(
    rows: pl.LazyFrame, folder: Path, *, expected: int, rng: Randomness
) -> Iterator[pl.DataFrame]:
    """The rows in a uniformly random order, part by part.

    Every row goes to a part drawn for it, on disk; each part is then shuffled in memory. With a
    seed the order depends on neither threads nor the size of chunks.
    """
    parts = max(1, expected // PART)
    where, inside = rng.child("part"), rng.child("inside")
    written: list[list[Path]] = [[] for _ in range(parts)]
    for number, chunk in enumerate(in_order(rows)):
        chosen = where.integers(parts, chunk.height)
        grouped = chunk.with_columns(pl.Series(_PART, chosen)).partition_by(
            _PART, as_dict=True, include_key=False
        )
        for (part,), some in grouped.items():
            path = folder / f"{part}-{number}.arrow"
            some.write_ipc(path, compression="lz4")
            written[part].append(path)
    for paths in written:
        if paths:
            part_rows = pl.concat([pl.read_ipc(path) for path in paths])
            yield part_rows[inside.permutation(part_rows.height)]
        for path in paths:
            path.unlink()
