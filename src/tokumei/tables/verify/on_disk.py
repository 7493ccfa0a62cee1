"""Rules recomputed from a file that is only streamed, as it was written.

    streamed_faults(source, claims)
    require_streamed_claims(source, claims, rows=1_000_000)

Classes are counted by streaming; the rules see them as a table whose rows stand for many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from tokumei.core.errors import ClaimError, Fault
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.files.column_types import typed
from tokumei.tables.data.counted import COUNT, rows_of
from tokumei.tables.data.infer import schema_for
from tokumei.tables.data.table import Table
from tokumei.tables.engines.stream_files import Streamed
from tokumei.tables.registry import rules
from tokumei.tables.verify.k_anonymity import KAnonymity
from tokumei.tables.verify.k_per_person import KPerPerson
from tokumei.tables.verify.no_identifiers import NoIdentifiers


def streamed_faults(
    source: Streamed, claims: Iterable[Claim], *, rows: int | None = None
) -> list[Fault]:
    """The violations of all claims; classes must have `rows` rows in all, if that is known."""
    return [fault for claim in claims for fault in _check(Classes(source, rows), claim)]


def require_streamed_claims(source: Streamed, claims: Iterable[Claim], *, rows: int) -> None:
    """Fail, naming the smallest offending groups, unless every claim holds of so many rows."""
    if faults := streamed_faults(source, claims, rows=rows):
        raise ClaimError(
            Text(
                "the release does not meet its claims, so nothing is written",
                "匿名加工データの主張が成り立たないため、何も書き出しません",
            ),
            faults=faults,
        )


@dataclass(frozen=True)
class Classes:
    """The classes of a file, counted for each rule anew."""

    source: Streamed
    rows: int | None

    def counted(self, columns: Iterable[str], more: Iterable[str] = ()) -> Table:
        """The distinct rows of some columns, with how often each occurs."""
        names = list(dict.fromkeys([*columns, *more]))
        self.without_rows().schema.require(names, where=str(self.source.path))
        # Not by a scan of its own: to count lines, Polars maps the whole file into memory.
        counted = self.source.scan().group_by(names).agg(pl.len().alias(COUNT))
        frame = typed(counted.collect(engine="streaming").sort(names))
        found = rows_of(frame)
        if self.rows not in (None, found):
            raise RuntimeError(f"{self.rows} rows should have been written, but there are {found}")
        return Table(frame, schema_for(frame, qi=list(columns)))

    def persons(self, columns: Iterable[str], person: str) -> Table:
        """The distinct rows of some columns, with the persons that have them."""
        frame = self.counted(columns, [person]).frame.unique([*columns, person])
        once = pl.col(person).is_not_null().cast(pl.UInt32).alias(COUNT)
        frame = frame.with_columns(once)
        return Table(frame, schema_for(frame, qi=list(columns)))

    def without_rows(self) -> Table:
        """The names of the columns only."""
        empty = pl.DataFrame(schema=dict.fromkeys(self.source.names, pl.String))
        return Table(empty, schema_for(empty, qi=[]))


def _check(classes: Classes, claim: Claim) -> list[Fault]:
    rule = rules.build(claim.rule, claim.params)
    if isinstance(rule, NoIdentifiers):
        faults: list[Fault] = rule.check(classes.without_rows())
        return faults
    if isinstance(rule, KPerPerson):
        return _persons(classes, rule)
    faults = rule.check(classes.counted(rule.columns, getattr(rule, "sensitive", ())))
    return [Fault(rule=f.rule, column=f.column, message=f.message) for f in faults]


def _persons(classes: Classes, rule: KPerPerson) -> list[Fault]:
    """Too few persons; where they are gone what can still be seen: k rows in every class."""
    if rule.rows is None or rule.person in classes.source.names:
        table = classes.persons(rule.columns, rule.person)
    else:
        table = classes.counted(rule.columns)
    faults = KAnonymity(rule.k, rule.columns).check(table)
    return [Fault(rule=rule.name, message=fault.message) for fault in faults]
