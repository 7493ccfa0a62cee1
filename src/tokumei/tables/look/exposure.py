"""What likely quasi-identifiers give away: how many people are alone with theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from tokumei.tables.look.people import Person

if TYPE_CHECKING:
    from tokumei.tables.look.result import LookColumn


@dataclass(frozen=True)
class Exposure:
    """What the likely quasi-identifiers give away together."""

    columns: tuple[str, ...]
    smallest: int
    unique: int
    people: int

    @property
    def unique_share(self) -> float:
        """Share of people who are alone with their values."""
        return self.unique / max(self.people, 1)

    def as_json(self) -> dict[str, Any]:
        """As figures."""
        return {
            "columns": list(self.columns),
            "k": self.smallest,
            "unique": self.unique,
            "people": self.people,
            "unique_share": round(self.unique_share, 6),
        }


def exposure_of(
    frame: pl.DataFrame, columns: Iterable[LookColumn], person: Person | None
) -> Exposure | None:
    """How alone people are with their likely quasi-identifiers; None if there are none."""
    quasi = [c.name for c in columns if c.role == "quasi" and c.fate == "generalize"]
    if not quasi or not frame.height:
        return None
    who = pl.col(person.column) if person else pl.int_range(pl.len())
    rows = frame.lazy().with_columns(tokumei_who=who).filter(pl.col("tokumei_who").is_not_null())
    # Where every row is somebody else, counting rows is enough, and much faster.
    one_each = person is None or not person.several
    count = pl.len() if one_each else pl.col("tokumei_who").n_unique()
    sizes = (
        rows.group_by(quasi)
        .agg(count.alias("tokumei_size"), pl.col("tokumei_who").first())
        .collect()
    )
    alone = sizes.filter(pl.col("tokumei_size") == 1)["tokumei_who"].n_unique()
    smallest = min(sizes["tokumei_size"].to_list(), default=0)
    return Exposure(tuple(quasi), smallest, alone, person.people if person else frame.height)
