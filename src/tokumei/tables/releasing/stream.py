"""From a file larger than memory to a verified release: read and written, never held.

    made = anonymize_stream("people.csv", build_method("local", {"k": 5}),
                            Roles(qi=["age", "sex"]))
    save_stream(made, "public.csv", secret="link.csv")

The distinct tuples of the quasi-identifiers must fit memory; the rows need not. Cells that are not
recoded pass as they stand in the file, byte for byte.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.json_text import as_json_text
from tokumei.core.progress import Advance, meter
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text
from tokumei.files.atomic import Output, write_all
from tokumei.files.containers import Format, format_of, sha256
from tokumei.files.links import COLUMNS
from tokumei.files.writing import text_output
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.data.counted import COUNT
from tokumei.tables.data.infer import infer_schema
from tokumei.tables.data.schema import Schema
from tokumei.tables.engines.stream import RecodedRows, Sizes, StreamingEngine, typed_cells
from tokumei.tables.engines.stream_files import Streamed, open_stream
from tokumei.tables.releasing.counted_method import (
    PLACE,
    Asked,
    Roles,
    all_claims,
    changed_tuples,
    is_unchanged,
    new_cells,
)
from tokumei.tables.verify.on_disk import require_streamed_claims

_LOOKED_AT = 100_000
WRITABLE = (".csv", ".tsv", ".txt")


@dataclass(frozen=True, eq=False)
class StreamRelease:
    """Released rows, to be computed while they are written, and what is claimed of them."""

    source: Streamed
    recoded: RecodedRows
    schema: Schema
    rows: int
    claims: tuple[Claim, ...]
    provenance: Provenance
    source_rows: int
    unchanged: bool
    suspects: list[str]
    """Columns that pass and look like identifiers, by the first rows."""
    shuffle: Randomness | None = field(repr=False)

    def manifest(self) -> dict[str, Any]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.rows,
            "columns": {column.name: column.role.value for column in self.schema.columns},
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True) | {"engine": StreamingEngine.name},
        }


def anonymize_stream(
    path: str | Path,
    method: TableMethod,
    roles: Roles,
    *,
    seed: int | None = None,
    keep_order: bool = False,
    sep: str | None = None,
    encoding: str = "auto",
) -> StreamRelease:
    """A release whose rows are computed when they are written; `save_stream` verifies them."""
    source = open_stream(path, sep=sep, encoding=encoding)
    engine, where = StreamingEngine.name, str(path)
    asked = Asked.of(method, roles, source.names, engine=engine, where=where)
    rng = Randomness(seed)
    with source.watched(), ThreadPoolExecutor(1) as beside:
        digest = beside.submit(sha256, path)
        # Before Polars sees them: it would hold all that follows a mark that is never closed.
        with meter(Text("checking lines", "行を確認しています")):
            source.require_whole_lines()
        tuples = _tuples(source, asked)
        _require_numbers(source, asked)
        cells = typed_cells(source, tuples)
        step = changed_tuples(asked, cells, rng=rng)
        provenance = Provenance(tuple(method.describe()), digest.result(), seed, step.searches)
        suspects = _suspects(source, asked.schema.others)
    count = int(step.table.frame[COUNT].sum())
    dropped = [*asked.schema.ids, *([asked.method.person] if asked.method.person else [])]
    return StreamRelease(
        source,
        _recoded(source, asked, tuples, step).drop(dropped),
        asked.schema.keep([name for name in source.names if name not in dropped]),
        count,
        all_claims(step.claims, roles.ids),
        provenance,
        int(tuples[COUNT].sum()),
        is_unchanged(step, cells, asked.schema.qi),
        suspects,
        None if keep_order else rng.child("shuffle"),
    )


def save_stream(
    release: StreamRelease, path: str | Path, *, secret: str | Path | None = None, sep: str = ","
) -> None:
    """Write the rows, verify what was written, and only then let it have its name.

    `path` gets the public rows, `path.manifest.json` the claims and methods; `secret` the link and
    `secret.provenance.json` seed and source hash, both readable by the owner only.
    """
    format_of(path, WRITABLE)
    with _scratch(path) as folder:
        link = folder / "link.csv" if secret is not None else None
        outputs = [
            Output(
                path,
                lambda stream: _write(release, stream, folder, link, sep),
                verify=lambda temporary: _verify(release, temporary, sep),
            ),
            text_output(as_json_text(release.manifest()), f"{path}.manifest.json"),
        ]
        if secret is not None and link is not None:
            full = as_json_text(release.provenance.as_json(public=False))
            outputs.append(Output(secret, _copy_of(link), secret=True))
            outputs.append(text_output(full, f"{secret}.provenance.json", secret=True))
        write_all(outputs)


def _tuples(source: Streamed, asked: Asked) -> pl.DataFrame:
    with meter(Text("counting tuples", "組を数えています")):
        return StreamingEngine().tuples(source, [*asked.schema.qi, *asked.guarded])


def _suspects(source: Streamed, names: Sequence[str]) -> list[str]:
    first = source.scan().select(names).head(_LOOKED_AT).collect(engine="streaming")
    return infer_schema(typed_cells(source, first)).ids if names else []


def _require_numbers(source: Streamed, asked: Asked) -> None:
    """Fail unless every sensitive cell is a finite number, as in memory."""
    names = [name for name in asked.schema.sa if name not in asked.guarded]
    if not names:
        return
    finite = [pl.col(name).cast(pl.Float64, strict=False).is_finite() for name in names]
    wrong = source.scan().select((~one.fill_null(False)).sum() for one in finite)
    bad = dict(zip(names, wrong.collect(engine="streaming").row(0), strict=True))
    if any(bad.values()):
        listed = ", ".join(f"{name}: {count}" for name, count in bad.items() if count)
        raise InputError(
            Text(
                f"{source.path}: sensitive columns must hold finite numbers; others: {listed}",
                f"{source.path}: 機密属性は有限の数値でなければなりません。それ以外: {listed}",
            ),
            total=sum(bad.values()),
        )


def _recoded(source: Streamed, asked: Asked, tuples: pl.DataFrame, step: Step) -> RecodedRows:
    """The rows with the cells of their tuples, each with its place in the file."""
    qi = asked.schema.qi
    kept, cells = new_cells(step, tuples, qi, as_text=True)
    return StreamingEngine().give(source.scan(PLACE), tuples, kept.select(qi), cells)


def _write(
    release: StreamRelease, stream: BinaryIO, folder: Path, link: Path | None, sep: str
) -> None:
    """All rows as CSV; the link beside them if it is wanted."""
    with (
        meter(Text("writing", "書き出し中"), total=release.rows) as advance,
        Path(os.devnull if link is None else link).open("wb") as links,
        release.source.watched(),
    ):
        written = _write_rows(release, stream, links, folder, sep, advance)
    if written != release.rows:
        raise RuntimeError(f"{release.rows} rows should have been written, but {written} were")


def _verify(release: StreamRelease, written: Path, sep: str) -> None:
    source = Streamed(written, list(release.schema.names), Format.CSV, sep)
    with meter(Text("verifying", "検証中")):
        require_streamed_claims(source, release.claims, rows=release.rows)


def _write_rows(
    release: StreamRelease,
    stream: BinaryIO,
    links: BinaryIO,
    folder: Path,
    sep: str,
    advance: Advance,
) -> int:
    sizes = Sizes.of(release.rows, release.source.row_bytes(release.source_rows))
    if release.shuffle is None:
        chunks = release.recoded.in_order(sizes.chunk)
    else:
        chunks = release.recoded.in_random_order(folder, sizes, rng=release.shuffle)
    done, first = 0, True
    for chunk in chunks:
        chunk.drop(PLACE).write_csv(stream, separator=sep, include_header=first)
        numbers = pl.int_range(done, done + chunk.height, eager=True)
        pair = pl.DataFrame(dict(zip(COLUMNS, (numbers, chunk[PLACE]), strict=True)))
        pair.write_csv(links, include_header=first)
        done, first = done + chunk.height, False
        advance(chunk.height)
    return done


def _copy_of(path: Path) -> Callable[[BinaryIO], None]:
    def copy(stream: BinaryIO) -> None:
        with path.open("rb") as source:
            shutil.copyfileobj(source, stream, 2**24)

    return copy


@contextmanager
def _scratch(path: str | Path) -> Iterator[Path]:
    """A folder beside the target that only its owner may enter, gone at the end."""
    beside = Path(os.path.realpath(path)).parent
    if not beside.is_dir():
        beside = Path(tempfile.gettempdir())  # writing will say what is wrong
    with tempfile.TemporaryDirectory(prefix=".tokumei-", dir=beside) as folder:
        yield Path(folder)
