"""Rows on this machine's disk, larger than its memory (Polars streams them).

    engine = StreamEngine(open_stream("people.csv"))
    found = engine.tuples(["age", "sex"])               # distinct rows with counts, in memory
    engine.give(NewCells(found, cells)).write("y.csv", …)       # recoded, chunk by chunk

Only distinct tuples and a part of the rows are in memory at a time.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO, ClassVar

import polars as pl

from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.atomic import Output, stage_files
from tokumei.files.column_types import typed
from tokumei.files.containers import Format, format_of
from tokumei.files.leftovers import secret_file, secret_folder
from tokumei.files.releases import publish_files
from tokumei.files.writing import COLUMNS, text_output
from tokumei.tables.data.counted import COUNT
from tokumei.tables.engines.local import CountedEngine
from tokumei.tables.engines.protocol import Beside, Frequencies, NewCells, VerifyWritten
from tokumei.tables.engines.stream_files import Streamed

CHUNK, PART = 2**27, 2**28
"""Bytes of rows in memory at a time: read and recoded, and shuffled."""
WRITABLE = (".csv", ".tsv", ".txt")
PLACE = "tokumei_place"
"""The number of a row in the file."""
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

    @classmethod
    def of(cls, rows: pl.LazyFrame, new: NewCells) -> RecodedRows:
        """The rows of a file that are kept, with their number."""
        old, cells = new.by_source()
        names = rows.collect_schema().names()
        on, source = old.columns, new.tuples.source
        assert source is not None
        key = _key(source.select(on)).alias(_KEY)
        numbers = old.select(key).with_row_index(_NUMBER).lazy()
        # Comparing one number is three times as fast as comparing tuples of text.
        numbered = (
            rows.with_columns(key)
            .drop(cells.columns)
            .join(numbers, on=_KEY, how="inner", maintain_order="left")
            .drop(_KEY)
        )
        return cls(numbered, cells, names)

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
                with secret_file(path) as stream:
                    some.write_ipc(stream, compression="lz4")
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


@dataclass(frozen=True, eq=False)
class StreamEngine:
    """One machine, rows on its disk."""

    name: ClassVar[str] = "stream"

    source: Streamed
    dropped: tuple[str, ...] = ()
    order: Randomness | None = field(default=None, repr=False)
    recoded: RecodedRows | None = None
    source_rows: int = 0

    def tuples(self, columns: Sequence[str], as_text: Sequence[str] = ()) -> Frequencies:
        """Distinct tuples of `columns` with counts; those `as_text` as they will be written."""
        counted = self.source.texts(as_text).group_by(list(columns)).agg(pl.len().alias(COUNT))
        found = counted.collect(engine="streaming").sort(list(columns))
        cells = typed(found) if self.source.is_text else found
        cells = cells.with_columns(found.select(as_text))
        return replace(CountedEngine(cells).tuples(columns), source=found.drop(COUNT))

    def give(self, new: NewCells) -> StreamEngine:
        """The rows with new cells, each with its place in the file until it is written."""
        recoded = RecodedRows.of(self.source.scan(PLACE), new)
        return replace(self, recoded=recoded, source_rows=int(new.tuples.counts.sum()))

    def without(self, names: Sequence[str]) -> StreamEngine:
        """The rows without some columns."""
        return replace(self, dropped=(*self.dropped, *names))

    def shuffled(self, rng: Randomness) -> StreamEngine:
        """The rows, to be written in a random order."""
        return replace(self, order=rng)

    def rows(self, folder: Path, sizes: Sizes, *, places: bool = True) -> Iterator[pl.DataFrame]:
        """The recoded rows as they are to be written, with their places if anyone needs them."""
        assert self.recoded is not None
        recoded = self.recoded.drop([*self.dropped, *([] if places else [PLACE])])
        if self.order is None:
            return recoded.in_order(sizes.chunk)
        return recoded.in_random_order(folder, sizes, rng=self.order)

    def write(
        self, path: str, beside: Beside, *, rows: int, sep: str, verify: VerifyWritten
    ) -> None:
        """Write to hidden files, let what was written be verified, and only then rename.

        `beside.secret` gets the link, readable by its owner only.
        """
        format_of(path, WRITABLE)
        names = [name for name in self.source.names if name not in self.dropped]
        # What is shuffled on the way shows who is who, so it lies where the link will.
        with secret_folder(Path(os.path.realpath(beside.secret or path))) as folder:
            link = None if beside.secret is None else folder / "link.csv"
            write = partial(_write, self, folder, link, sep, rows)
            written = partial(Streamed, names=names, form=Format.CSV, sep=sep)
            outputs = [
                Output(path, write),
                text_output(beside.manifest, f"{path}.manifest.json"),
            ]
            if (secret := beside.secret) is not None and link is not None:
                outputs.append(Output(secret, partial(_copy, link), secret=True))
                outputs.append(
                    text_output(beside.provenance, f"{secret}.provenance.json", secret=True)
                )
            with stage_files(outputs) as staged:
                publish_files(staged, verify(written(staged.temporary(path))))


def _write(
    engine: StreamEngine, folder: Path, link: Path | None, sep: str, rows: int, stream: BinaryIO
) -> None:
    """All rows as CSV; the link beside them."""
    source, done, first = engine.source, 0, True
    sizes = Sizes.of(rows, source.row_bytes(engine.source_rows))
    with (
        meter(Text("writing", "書き出し中"), total=rows) as advance,
        secret_file(link) if link else nullcontext() as links,
        source.watched(),
    ):
        for chunk in engine.rows(folder, sizes, places=links is not None):
            if links is not None:
                numbers = pl.int_range(done, done + chunk.height, eager=True)
                pair = pl.DataFrame(dict(zip(COLUMNS, (numbers, chunk[PLACE]), strict=True)))
                pair.write_csv(links, include_header=first)
            plain = chunk.drop(PLACE, strict=False)
            plain.write_csv(stream, separator=sep, include_header=first)
            done, first = done + chunk.height, False
            advance(chunk.height)
    if done != rows:
        raise RuntimeError(f"{rows} rows should have been written, but {done} were")


def _key(tuples: pl.DataFrame) -> pl.Expr:
    """A number for each tuple that no other one of these has."""
    distinct = tuples.lazy().unique().collect(engine="streaming")
    keys = (_hashed(tuples.columns, seed) for seed in count())
    return next(key for key in keys if distinct.select(key.is_unique().all()).item())


def _hashed(columns: Sequence[str], seed: int) -> pl.Expr:
    return pl.struct(columns).hash(seed)


def _copy(path: Path, stream: BinaryIO) -> None:
    with path.open("rb") as source:
        shutil.copyfileobj(source, stream, 2**24)
