"""Rules recomputed from a file that is only streamed, as it was written.

streamed_faults(source, claims)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.release import Claim
from tokumei.files.column_types import typed
from tokumei.tables.data.counted import COUNT, rows_of
from tokumei.tables.engines.stream_files import Streamed
from tokumei.tables.verify.class_rule import small_classes
from tokumei.tables.verify.elsewhere import SmallClasses, elsewhere_faults


@dataclass(frozen=True)
class DiskRows:
    """A file, counted for each rule anew."""

    source: Streamed

    @property
    def names(self) -> Sequence[str]:
        """The columns."""
        return self.source.names

    @property
    def where(self) -> str:
        """The path."""
        return str(self.source.path)

    def counted(self, columns: Sequence[str]) -> pl.DataFrame:
        """The distinct rows of some columns, with how often each occurs.

        In their types, but as text where two texts are one number: a reader tells them apart.
        """
        texts = self.texts(columns)
        apart = (
            values if values.n_unique() == texts[values.name].n_unique() else texts[values.name]
            for values in typed(texts)
        )
        return pl.DataFrame(list(apart))

    def texts(self, columns: Sequence[str]) -> pl.DataFrame:
        """The same as it stands in the file."""
        names = list(columns)
        # Not by a scan of its own: to count lines, Polars maps the whole file into memory.
        counted = self.source.scan().group_by(names).agg(pl.len().alias(COUNT))
        return counted.collect(engine="streaming").sort(names)

    def small(self, columns: Sequence[str], k: int, person: str = "") -> SmallClasses:
        """The classes with fewer than k rows, or persons, the smallest first."""
        counted = self.texts([*columns, *([person] if person else [])])
        small = small_classes(counted, tuple(columns), k, person)
        return SmallClasses(small, small.height, rows_of(counted))


def streamed_faults(source: Streamed, claims: Iterable[Claim]) -> list[Fault]:
    """The violations of all claims."""
    return elsewhere_faults(DiskRows(source), claims).faults
