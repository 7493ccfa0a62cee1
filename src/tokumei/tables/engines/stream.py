"""Engine for files larger than memory, streamed by Polars.

    engine = StreamEngine(open_stream("people.csv"))
    found = engine.tuples(["age", "sex"])               # distinct rows with counts, in memory
    engine.give(RecodedCells(found, cells)).write("y.csv", …)       # recoded, chunk by chunk

Only distinct tuples and a part of the rows are in memory at a time.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO, ClassVar

import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.randomness import Randomness
from tokumei.core.release_terms import TableLayout
from tokumei.files.atomic_write import Output, stage_files
from tokumei.files.column_types import infer_column_types
from tokumei.files.file_formats import FileFormat, detect_format
from tokumei.files.release_files import publish_files
from tokumei.files.temporary_files import open_secret_file, temporary_secret_folder
from tokumei.files.writing import LINK_COLUMNS, text_output
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.engines.local import CountedEngine
from tokumei.tables.engines.protocol import RecodedCells, SidecarFiles, TupleCounts, VerifyWritten
from tokumei.tables.engines.stream_files import StreamedFile

CHUNK_BYTES, PART_BYTES = 2**27, 2**28
"""Bytes of rows in memory at a time: read and recoded, and shuffled."""
WRITABLE_SUFFIXES = (".csv", ".tsv", ".txt")
ROW_NUMBER = "tokumei_place"
"""The number of a row in the file."""
_PART, _NUMBER, _KEY = "tokumei_part", "tokumei_number", "tokumei_key"


@dataclass(frozen=True)
class StreamSizes:
    """How many rows are handled at a time, and into how many parts they are shuffled."""

    chunk: int
    parts: int

    @classmethod
    def of(cls, rows: int, row_bytes: float) -> StreamSizes:
        """For so many rows that take about so many bytes each."""
        return cls(max(1, int(CHUNK_BYTES / row_bytes)), max(1, int(rows * row_bytes / PART_BYTES)))


@dataclass(frozen=True, eq=False)
class RecodedRows:
    """Rows that carry the number of their tuple until they are written, because it is small."""

    rows: pl.LazyFrame = field(repr=False)
    cells: pl.DataFrame = field(repr=False)
    """The new cells, one row for each number."""
    names: list[str]

    @classmethod
    def of(cls, rows: pl.LazyFrame, recoded: RecodedCells) -> RecodedRows:
        """The rows of a file that are kept, with their number."""
        old, cells = recoded.source_and_new_cells()
        names = rows.collect_schema().names()
        on, source = old.columns, recoded.tuples.source
        assert source is not None
        key = _unique_key(source.select(on)).alias(_KEY)
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
        yield from map(self._with_new_cells, self._read_chunks(chunk))

    def in_random_order(
        self, folder: Path, sizes: StreamSizes, *, rng: Randomness
    ) -> Iterator[pl.DataFrame]:
        """The rows in a uniformly random order, part by part.

        Every row goes to a part drawn for it, on disk; each part is then shuffled in memory. With a
        seed the order depends on neither threads nor the size of chunks.
        """
        part_rng, shuffle_rng = rng.child("part"), rng.child("inside")
        written: list[list[Path]] = [[] for _ in range(sizes.parts)]
        for number, chunk in enumerate(self._read_chunks(sizes.chunk)):
            chosen = part_rng.integers(sizes.parts, chunk.height)
            grouped = chunk.with_columns(pl.Series(_PART, chosen)).partition_by(
                _PART, as_dict=True, include_key=False
            )
            for (part,), part_rows in grouped.items():
                path = folder / f"{part}-{number}.arrow"
                with open_secret_file(path) as stream:
                    part_rows.write_ipc(stream, compression="lz4")
                written[part].append(path)
        for paths in written:
            if paths:
                rows = pl.concat([pl.read_ipc(path) for path in paths])
                yield self._with_new_cells(rows[shuffle_rng.permutation(rows.height)])
            for path in paths:
                path.unlink()

    def _read_chunks(self, chunk: int) -> Iterator[pl.DataFrame]:
        yield from self.rows.collect_batches(
            chunk_size=chunk, maintain_order=True, engine="streaming"
        )

    def _with_new_cells(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.hstack(self.cells[rows[_NUMBER]]).select(self.names)


@dataclass(frozen=True, eq=False)
class StreamEngine:
    """One machine, rows on its disk."""

    name: ClassVar[str] = "stream"

    source: StreamedFile
    dropped: tuple[str, ...] = ()
    order: Randomness | None = field(default=None, repr=False)
    recoded: RecodedRows | None = None
    source_rows: int = 0
    rare: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)
    """Texts of columns that pass which become `*`."""

    def masked(self, rare: Mapping[str, pl.Series]) -> StreamEngine:
        """The rows, with `*` for some texts of some columns."""
        return replace(self, rare=rare)

    def tuples(self, columns: Sequence[str], as_text: Sequence[str] = ()) -> TupleCounts:
        """Distinct tuples of `columns` with counts; `decode_categories` as they will be written."""
        counted = (
            self.source.texts(as_text).group_by(list(columns)).agg(pl.len().alias(COUNT_COLUMN))
        )
        distinct = counted.collect(engine="streaming").sort(list(columns))
        cells = infer_column_types(distinct) if self.source.is_text else distinct
        cells = cells.with_columns(distinct.select(as_text))
        return replace(CountedEngine(cells).tuples(columns), source=distinct.drop(COUNT_COLUMN))

    def give(self, recoded_cells: RecodedCells) -> StreamEngine:
        """The rows with new cells, each with its place in the file until it is written."""
        recoded_rows = RecodedRows.of(self.source.scan(ROW_NUMBER), recoded_cells)
        return replace(
            self, recoded=recoded_rows, source_rows=int(recoded_cells.tuples.counts.sum())
        )

    def without(self, names: Sequence[str]) -> StreamEngine:
        """The rows without some columns."""
        return replace(self, dropped=(*self.dropped, *names))

    def shuffled(self, rng: Randomness) -> StreamEngine:
        """The rows, to be written in a random order."""
        return replace(self, order=rng)

    def rows(
        self, folder: Path, sizes: StreamSizes, *, places: bool = True
    ) -> Iterator[pl.DataFrame]:
        """The recoded rows as they are to be written, with their places if anyone needs them."""
        assert self.recoded is not None
        recoded = self.recoded.drop([*self.dropped, *([] if places else [ROW_NUMBER])])
        if self.order is None:
            return recoded.in_order(sizes.chunk)
        return recoded.in_random_order(folder, sizes, rng=self.order)

    def write(
        self, path: str, sidecars: SidecarFiles, *, rows: int, sep: str, verify: VerifyWritten
    ) -> None:
        """Write to hidden files, let what was written be verified, and only then rename.

        `beside.secret` gets the link, readable by its owner only.
        """
        detect_format(path, WRITABLE_SUFFIXES)
        names = [name for name in self.source.names if name not in self.dropped]
        # What is shuffled on the way shows who is who, so it lies where the link will.
        with temporary_secret_folder(Path(os.path.realpath(sidecars.secret or path))) as folder:
            link = None if sidecars.secret is None else folder / "link.csv"
            write_rows = partial(_write_rows, self, folder, link, sep, rows)
            written_file = partial(StreamedFile, names=names, form=FileFormat.CSV, sep=sep)
            outputs = [
                Output(path, write_rows, layout=TableLayout(sep, names=tuple(names))),
                text_output(sidecars.manifest, f"{path}.manifest.json"),
            ]
            if (secret := sidecars.secret) is not None and link is not None:
                outputs.append(Output(secret, partial(_copy_file, link), secret=True))
                outputs.append(
                    text_output(sidecars.provenance, f"{secret}.provenance.json", secret=True)
                )
            with stage_files(outputs) as staged:
                publish_files(staged, verify(written_file(staged.temporary(path))))


def _write_rows(
    engine: StreamEngine, folder: Path, link: Path | None, sep: str, rows: int, stream: BinaryIO
) -> None:
    """All rows as CSV; the link beside them."""
    source, done, first = engine.source, 0, True
    sizes = StreamSizes.of(rows, source.row_bytes(engine.source_rows))
    with (
        progress_bar(Message("writing"), total=rows) as advance,
        open_secret_file(link) if link else nullcontext() as links,
        source.watched(),
    ):
        for chunk in engine.rows(folder, sizes, places=links is not None):
            if links is not None:
                numbers = pl.int_range(done, done + chunk.height, eager=True)
                pair = pl.DataFrame(
                    dict(zip(LINK_COLUMNS, (numbers, chunk[ROW_NUMBER]), strict=True))
                )
                pair.write_csv(links, include_header=first)
            plain = chunk.drop(ROW_NUMBER, strict=False).with_columns(
                chunk[name].set(chunk[name].is_in(texts.implode()), SUPPRESSED_CELL)
                for name, texts in engine.rare.items()
            )
            plain.write_csv(stream, separator=sep, include_header=first)
            done, first = done + chunk.height, False
            advance(chunk.height)
    if done != rows:
        raise RuntimeError(f"{rows} rows should have been written, but {done} were")


def _unique_key(tuples: pl.DataFrame) -> pl.Expr:
    """A number for each tuple that no other one of these has."""
    distinct = tuples.lazy().unique().collect(engine="streaming")
    keys = (_hash_columns(tuples.columns, seed) for seed in count())
    return next(key for key in keys if distinct.select(key.is_unique().all()).item())


def _hash_columns(columns: Sequence[str], seed: int) -> pl.Expr:
    return pl.struct(columns).hash(seed)


def _copy_file(path: Path, stream: BinaryIO) -> None:
    with path.open("rb") as source:
        shutil.copyfileobj(source, stream, 2**24)
