"""From a file larger than memory to a verified release: read and written, never held.

    made = anonymize_stream("people.csv", build_method("local", {"k": 5}),
                            Roles(qi=["age", "sex"]))
    save_stream(made, "public.csv", secret="link.csv")

The distinct tuples of the quasi-identifiers must fit memory; the rows need not. Cells that are not
recoded pass as they stand in the file, byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.containers import sha256
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.account import NO_CONSENT, Consent
from tokumei.tables.engines.stream import StreamEngine
from tokumei.tables.engines.stream_files import Streamed, open_stream
from tokumei.tables.look.embedded import PERHAPS
from tokumei.tables.look.first_rows import LOOKED_AT, looked_at
from tokumei.tables.releasing.far import Asked, FarRelease, Roles, recoded
from tokumei.tables.releasing.local import all_claims
from tokumei.tables.releasing.opening import account_of
from tokumei.tables.verify.elsewhere import DiskRows

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look


@dataclass(frozen=True, eq=False)
class StreamRelease(FarRelease):
    """Released rows, to be computed while they are written to a file."""

    seen: ClassVar = DiskRows


def anonymize_stream(
    path: str | Path,
    method: TableMethod,
    roles: Roles,
    *,
    seed: int | None = None,
    keep_order: bool = False,
    sep: str | None = None,
    encoding: str = "auto",
    consent: Consent = NO_CONSENT,
) -> StreamRelease:
    """A release whose rows are computed when they are written; `save_stream` verifies them."""
    source = open_stream(path, sep=sep, encoding=encoding)
    engine = StreamEngine(source)
    asked = Asked.of(
        method, roles, source.names, engine=engine.name, where=str(path), sets=consent.sets
    )
    with source.watched(), ContextThreadPool(1) as beside:
        digest = beside.submit(sha256, path)
        # Before Polars sees them: it would hold all that follows a mark that is never closed.
        with meter(Text("checking lines", "行を確認しています")):
            source.require_whole_lines()
        # The first rows tell what the columns are.
        first = source.scan().head(LOOKED_AT).collect(engine="streaming")
        schema = roles.schema(source.names, where=str(path))
        account = account_of(_looked_at(source, first), schema, method, consent)
        with meter(Text("counting tuples", "組を数えています")):
            tuples = engine.tuples(asked.counted, asked.read)
        rng = Randomness(seed)
        if rng.seeded:
            rng = rng.bound_to(digest.result().encode(), method.describe(), vars(roles))
        made = recoded(engine, asked, tuples, as_text=True, rng=rng, keep_order=keep_order)
        provenance = made.provenance(digest.result(), seed)
    claims = all_claims(made.claims, roles.ids)
    left = [name for name in source.names if name not in asked.dropped]
    return StreamRelease(
        made.engine,
        asked.schema.keep(left),
        made.rows,
        claims,
        provenance,
        int(tuples.counts.sum()),
        made.unchanged,
        account.settled(claims, asked.schema.qi),
    )


def save_stream(
    release: StreamRelease, path: str | Path, *, secret: str | Path | None = None, sep: str = ","
) -> None:
    """Write the rows, verify what was written, and only then let it have its name."""
    release.save(path, secret=secret, sep=sep)


def _looked_at(source: Streamed, first: pl.DataFrame) -> Look:
    """A look at the first rows; personal data inside texts is sought in all of them."""
    from tokumei.tables.look.look import is_searched, with_inside

    found = looked_at(first)
    names = [column.name for column in found.columns if is_searched(column)]
    if first.height < LOOKED_AT or not names:
        return found
    texts = {name: pl.col(name).cast(pl.String) for name in names}
    suspects = [one.filter(one.str.contains(PERHAPS)).unique().implode() for one in texts.values()]
    with meter(Text("looking for personal data in texts", "文章中の個人情報を探しています")):
        cells = source.texts(names).select(suspects).collect(engine="streaming")
    columns = tuple(
        with_inside(column, cells[column.name].explode()) if column.name in names else column
        for column in found.columns
    )
    return replace(found, columns=columns)
