"""Categories from the beginnings of item codes.

prefix_categories(["85123A", "85123B"], length=5)       # both in 85123
prefix_hierarchy(codes, lengths=(5, 3, 2, 1))           # each level inside the next
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tokumei.core.errors import UsageError
from tokumei.histories.categories.categories import Categories


def prefix_categories(items: Iterable[str], *, length: int) -> Categories:
    """Every item in the category named by its first `length` characters."""
    if length < 1:
        raise UsageError(
            f"the length of a prefix must be at least 1, not {length}",
            f"接頭辞の長さは 1 以上です ({length} は使えません)",
        )
    return Categories("prefix", {item: item[:length] for item in items})


def prefix_hierarchy(items: Iterable[str], *, lengths: Sequence[int]) -> list[Categories]:
    """Levels from fine to coarse; shorter prefixes hold the longer ones, so levels are nested."""
    if not lengths or any(fine <= coarse for fine, coarse in pairwise(lengths)):
        raise UsageError(
            f"the lengths of prefixes must become smaller: {tuple(lengths)}",
            f"接頭辞の長さは大きい順に指定してください: {tuple(lengths)}",
        )
    codes = list(items)
    return [prefix_categories(codes, length=length) for length in lengths]
