"""Hierarchies of codes: the first characters of each, fewer on every level.

prefix_hierarchy(series, lengths=[3, 1])        # 5650871 → 565* → 5* → *
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import polars as pl

from tokumei.core.cells import STAR
from tokumei.core.errors import UsageError
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.values import Values, hierarchy_of


def prefix_hierarchy(series: pl.Series, *, lengths: Sequence[int]) -> Hierarchy:
    """Codes by their first characters, `lengths` falling; a shorter code stays as it is."""
    if not lengths or min(lengths) < 1 or any(fine <= coarse for fine, coarse in pairwise(lengths)):
        raise UsageError(
            "prefix lengths must decrease and be at least 1, as in 5,3,1",
            "先頭の文字数は 1 以上で大きい順にします (例 5,3,1)",
        )
    values = Values.of(series)
    return hierarchy_of(values, [prefixes(values.text, length) for length in lengths])


def prefixes(text: pl.Series, length: int) -> pl.Series:
    """`abc*` for a code longer than `length`, else the code."""
    cut = text.str.head(length)
    return (cut + STAR).zip_with(text.str.len_chars() > length, text)
