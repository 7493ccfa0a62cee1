"""Remedies that change values: means of similar rows, and swapping among look-alike rows.

Both are the methods of the package (`microaggregate`, `swap`) on the released cells, drawn from a
fixed seed: the same release gives the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tokumei.assessment.opened_release import OpenedRelease
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.data.table import Table

SEED = 35


def can_be_averaged(opened: OpenedRelease, name: str) -> bool:
    """Whether a released column holds plain numbers only."""
    codes = opened.columns[name]
    series = opened.released.frame[name]
    return codes.is_number and not codes.read_otherwise and not series.null_count()


def microaggregate(
    opened: OpenedRelease, columns: Sequence[str], k: int
) -> dict[str, pl.Series | None]:
    """The columns with the mean of `k` or more similar rows in every row of them."""
    return _change(opened, Microaggregate(groups="mdav", k=k), columns, ())


def swap_inside_classes(
    opened: OpenedRelease, columns: Sequence[str], alike: Sequence[str]
) -> dict[str, pl.Series | None]:
    """The columns with their cells exchanged among rows with the same cells in `alike`."""
    return _change(opened, Swap(), columns, alike)


def _change(
    opened: OpenedRelease, method: TableMethod, columns: Sequence[str], alike: Sequence[str]
) -> dict[str, pl.Series | None]:
    frame = opened.released.frame.select([*alike, *columns])
    table = Table.of(frame, qi=list(alike), sa=list(columns))
    assert opened.link is not None
    try:
        changed = method.change(Step(table, opened.link, ()), rng=Randomness(SEED)).table.frame
    except UsageError:
        return {}
    return {name: changed[name] for name in columns if not changed[name].equals(frame[name])}
