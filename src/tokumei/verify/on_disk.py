"""Rules recomputed from a file that is only streamed, as it was written.

    require_streamed_claims(source, claims, rows=1_000_000)

Classes are counted by streaming; the rules see them as a table whose rows stand for many.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from tokumei.data.counted import COUNT
from tokumei.data.files.column_types import typed
from tokumei.data.infer import schema_for
from tokumei.data.release import Claim
from tokumei.data.table import Table
from tokumei.engine.stream_files import Streamed
from tokumei.errors import ClaimError, Fault
from tokumei.registry import rules
from tokumei.text import Text
from tokumei.verify.k_anonymity import KAnonymity
from tokumei.verify.k_per_person import KPerPerson
from tokumei.verify.no_identifiers import NoIdentifiers


def streamed_faults(source: Streamed, claims: Iterable[Claim]) -> list[Fault]:
    """The violations of all claims."""
    return [fault for claim in claims for fault in _check(source, claim)]


def require_streamed_claims(source: Streamed, claims: Iterable[Claim], *, rows: int) -> None:
    """Fail, naming the smallest offending groups, unless every claim holds of so many rows."""
    found = source.scan().select(pl.len()).collect(engine="streaming").item()
    if found != rows:
        raise RuntimeError(f"{rows} rows should have been written, but there are {found}")
    if faults := streamed_faults(source, claims):
        raise ClaimError(
            Text(
                "the release does not keep its claim, so nothing is written",
                "匿名加工データが約束を満たさないため、何も書き出しません",
            ),
            faults=faults,
        )


def _check(source: Streamed, claim: Claim) -> list[Fault]:
    rule = rules.build(claim.rule, claim.params)
    if isinstance(rule, NoIdentifiers):
        empty = pl.DataFrame(schema=dict.fromkeys(source.names, pl.String))
        faults: list[Fault] = rule.check(Table(empty, schema_for(empty, qi=[])))
        return faults
    if isinstance(rule, KPerPerson):
        return _persons(source, rule)
    faults = rule.check(_counted(source, rule.columns, getattr(rule, "sensitive", ())))
    return [Fault(rule=f.rule, column=f.column, message=f.message) for f in faults]


def _persons(source: Streamed, rule: KPerPerson) -> list[Fault]:
    """What can still be seen when the persons are gone: k rows in every class."""
    faults = KAnonymity(rule.k, rule.columns).check(_counted(source, rule.columns, ()))
    return [Fault(rule=rule.name, message=fault.message) for fault in faults]


def _counted(source: Streamed, columns: Iterable[str], more: Iterable[str]) -> Table:
    names = list(dict.fromkeys([*columns, *more]))
    counted = source.scan().group_by(names).agg(pl.len().alias(COUNT))
    frame = typed(counted.collect(engine="streaming").sort(names))
    return Table(frame, schema_for(frame, qi=list(columns)))
