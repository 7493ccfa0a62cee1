"""From a file larger than memory to a verified release: read and written, never held.

    made = anonymize_stream("people.csv", build_method("local", {"k": 5}),
                            Roles(qi=["age", "sex"]))
    save_stream(made, "public.csv", secret="link.csv")

The distinct tuples of the quasi-identifiers must fit memory; the rows need not. Cells that are not
recoded pass as they stand in the file, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.release import Provenance
from tokumei.core.text import Text
from tokumei.files.column_types import typed
from tokumei.files.containers import sha256
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.column_kinds import infer_schema
from tokumei.tables.engines.stream import StreamEngine
from tokumei.tables.engines.stream_files import Streamed, open_stream
from tokumei.tables.releasing.far import Asked, FarRelease, Roles, recoded
from tokumei.tables.releasing.local import all_claims
from tokumei.tables.verify.elsewhere import DiskRows

_LOOKED_AT = 100_000


@dataclass(frozen=True, eq=False)
class StreamRelease(FarRelease):
    """Released rows, to be computed while they are written to a file."""

    suspects: list[str] = field(default_factory=list)
    """Columns that pass and look like identifiers, by the first rows."""

    def seen(self, written: Streamed) -> DiskRows:
        """The file that was written, as rules see it."""
        return DiskRows(written)


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
    engine = StreamEngine(source)
    asked = Asked.of(method, roles, source.names, engine=engine.name, where=str(path))
    with source.watched(), ThreadPoolExecutor(1) as beside:
        digest = beside.submit(sha256, path)
        # Before Polars sees them: it would hold all that follows a mark that is never closed.
        with meter(Text("checking lines", "行を確認しています")):
            source.require_whole_lines()
        with meter(Text("counting tuples", "組を数えています")):
            tuples = engine.tuples(asked.counted, asked.read)
        _require_numbers(source, asked)
        rng = Randomness(seed)
        if rng.seeded:
            rng = rng.bound_to(digest.result().encode(), method.describe(), vars(roles))
        made = recoded(engine, asked, tuples, as_text=True, rng=rng, keep_order=keep_order)
        provenance = Provenance(tuple(method.describe()), digest.result(), seed, made.searches)
        suspects = _suspects(source, asked.schema.others)
    left = [name for name in source.names if name not in asked.dropped]
    return StreamRelease(
        made.engine,
        asked.schema.keep(left),
        made.rows,
        all_claims(made.claims, roles.ids),
        provenance,
        int(tuples.counts.sum()),
        made.unchanged,
        suspects,
    )


def save_stream(
    release: StreamRelease, path: str | Path, *, secret: str | Path | None = None, sep: str = ","
) -> None:
    """Write the rows, verify what was written, and only then let it have its name."""
    release.save(path, secret=secret, sep=sep)


def _suspects(source: Streamed, names: Sequence[str]) -> list[str]:
    first = source.scan().select(names).head(_LOOKED_AT).collect(engine="streaming")
    return infer_schema(typed(first) if source.is_text else first).ids if names else []


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
            f"{source.path}: sensitive columns must hold finite numbers; others: {listed}",
            f"{source.path}: 機密属性は有限の数値でなければなりません。それ以外: {listed}",
            total=sum(bad.values()),
        )
