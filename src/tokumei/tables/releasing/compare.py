"""An original and a release of it, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.release import Release
from tokumei.tables.data.table import Table, require_numbers


def compare(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    cross: Sequence[str] = (),
) -> Comparison:
    """An original and a release of it side by side."""
    table = Table.of(original, qi=qi, sa=sa)
    require_numbers(table, table.schema.sa)
    if isinstance(release, Release):
        return Comparison.of(table, release, cross=cross)
    released = Table.of(release)
    if link is None:
        link = np.arange(released.rows)
    return Comparison(table, released, np.asarray(link), tuple(cross))
