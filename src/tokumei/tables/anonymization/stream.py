"""Anonymizes a file larger than memory by streaming it.

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
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.randomness import Randomness
from tokumei.core.release_terms import WithheldScan
from tokumei.files.file_formats import sha256_of_file
from tokumei.tables.anonymization.column_disclosure import build_column_report
from tokumei.tables.anonymization.in_memory import add_identifier_claim
from tokumei.tables.anonymization.out_of_core import (
    OutOfCoreRelease,
    RecodingTask,
    Roles,
    recode_rows,
)
from tokumei.tables.anonymization.release_terms import (
    is_text_for_few,
    passing_columns,
    table_terms,
)
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.column_report import NO_DECISIONS, ColumnReport, ReleaseDecisions
from tokumei.tables.engines.stream import StreamEngine
from tokumei.tables.engines.stream_files import StreamedFile, open_stream
from tokumei.tables.profiling.detection.embedded_pii import MAYBE_PII_PATTERN
from tokumei.tables.profiling.first_rows import PROFILED_ROWS, profile_sample
from tokumei.tables.verification.out_of_core import DiskRows

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import TableProfile


@dataclass(frozen=True, eq=False)
class StreamRelease(OutOfCoreRelease):
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
    consent: ReleaseDecisions = NO_DECISIONS,
) -> StreamRelease:
    """A release whose rows are computed when they are written; `save_stream` verifies them."""
    source = open_stream(path, sep=sep, encoding=encoding)
    engine = StreamEngine(source)
    task = RecodingTask.of(
        method, roles, source.names, engine=engine.name, where=str(path), sets=consent.sets
    )
    with source.watched(), ContextThreadPool(1) as executor:
        digest = executor.submit(sha256_of_file, path)
        # Before Polars sees them: it would hold all that follows a mark that is never closed.
        with progress_bar(Message("checking lines")):
            source.require_whole_lines()
        # The first rows tell what the columns are.
        head = source.scan().head(PROFILED_ROWS).collect(engine="streaming")
        schema = roles.schema(source.names, where=str(path))
        account = build_column_report(_profile_rows(source, head), schema, method, consent)
        with progress_bar(Message("counting tuples")):
            tuples = engine.tuples(task.counted, task.read)
        rng = Randomness(seed)
        if rng.seeded:
            rng = rng.bound_to(digest.result().encode(), method.describe(), vars(roles))
        result = recode_rows(engine, task, tuples, as_text=True, rng=rng, keep_order=keep_order)
        provenance = result.provenance(digest.result(), seed)
    claims = add_identifier_claim(result.claims, roles.ids)
    public_columns = [name for name in source.names if name not in task.dropped]
    account = account.settled(claims, task.schema.qi)
    rare, account = find_rare_texts(source, account, consent, task.method)
    withheld = WithheldScan(source.scan(), tuple(task.dropped))
    return StreamRelease(
        result.engine.masked(rare),
        task.schema.keep(public_columns),
        result.rows,
        claims,
        provenance,
        int(tuples.counts.sum()),
        result.unchanged,
        account,
        terms=table_terms(schema, account, consent, task.method.k, withheld),
    )


def save_stream(
    release: StreamRelease, path: str | Path, *, secret: str | Path | None = None, sep: str = ","
) -> None:
    """Write the rows, verify what was written, and only then let it have its name."""
    release.save(path, secret=secret, sep=sep)


def find_rare_texts(
    source: StreamedFile, account: ColumnReport, consent: ReleaseDecisions, method: KAnonymizer
) -> tuple[dict[str, pl.Series], ColumnReport]:
    """The texts that too few people have, by column that passes unnamed; what is said of them."""
    rare: dict[str, pl.Series] = {}
    hidden_cells: dict[str, int] = {}
    people = pl.col(method.person).n_unique() if method.person else pl.len()
    for name in passing_columns(account, consent):
        text = pl.col(name).cast(pl.String)
        columns = list(dict.fromkeys((name, *([method.person] if method.person else []))))
        counts = source.texts(columns).group_by(text.alias("tokumei_text")).agg(
            people.alias("people"), pl.len().alias("cells")
        ).filter(
            (pl.col("people") < method.k) & is_text_for_few(pl.col("tokumei_text"))
        ).collect(engine="streaming")  # fmt: skip
        if counts.height:
            rare[name], hidden_cells[name] = counts["tokumei_text"], int(counts["cells"].sum())
    return rare, account.with_hidden_cells(hidden_cells)


def _profile_rows(source: StreamedFile, first: pl.DataFrame) -> TableProfile:
    """A look at the first rows; personal data inside texts is sought in all of them."""
    from tokumei.tables.profiling.first_rows import may_contain_pii, search_cells_for_pii

    profile = profile_sample(first)
    names = [column.name for column in profile.columns if may_contain_pii(column)]
    if first.height < PROFILED_ROWS or not names:
        return profile
    texts = {name: pl.col(name).cast(pl.String) for name in names}
    suspects = [
        texts_column.filter(texts_column.str.contains(MAYBE_PII_PATTERN)).unique().implode()
        for texts_column in texts.values()
    ]
    with progress_bar(Message("looking for personal data in texts")):
        cells = source.texts(names).select(suspects).collect(engine="streaming")
    columns = tuple(
        search_cells_for_pii(column, cells[column.name].explode())
        if column.name in names
        else column
        for column in profile.columns
    )
    return replace(profile, columns=columns)
