"""What a release made here says of each person: its link, its labels and its source are at hand."""

from __future__ import annotations

from typing import Any

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.files.compact import as_text
from tokumei.ledger.contribution import Contribution
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.released import step_hierarchies
from tokumei.tables.ledger.contribution import table_contribution


def release_contribution(release: Release, source: Any, ids: Any) -> Contribution:
    """From a release and its source; `ids`: the source's column that names people, or a Series."""
    if source is None or ids is None:
        raise UsageError(
            "a ledger needs the source of a table's release, and which column of it names people",
            "台帳に記録するには、表の元データと、人を表す列が必要です",
        )
    table = Table.of(source)
    before, after = as_text(table.frame), as_text(release.public.frame)
    names = as_text(pl.DataFrame({"id": ids if isinstance(ids, pl.Series) else table.frame[ids]}))
    qi, sa = release.public.schema.qi, release.public.schema.sa
    return table_contribution(
        before,
        after,
        link=release.link,
        ids=names["id"],
        qi=qi,
        sa=sa,
        hierarchies=step_hierarchies(release.provenance.steps, before, after, qi),
    )
