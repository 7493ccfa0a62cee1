"""What a released table claims, recomputed from its public rows."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from tokumei.core import claims as core
from tokumei.core.claims import CheckedClaim
from tokumei.core.errors import Fault
from tokumei.core.release import Claim
from tokumei.tables.data.table import Table
from tokumei.tables.registry import rules

COUNTS_CODES = ("k-anonymity", "no-identifiers")
"""The rules that need not see compact text as text."""


def check_claims(
    public: Table, claims: Iterable[Claim], text: Table | None = None
) -> list[CheckedClaim]:
    """Recompute every claim from the public part, in each way that its cells may be read.

    As text first, the way they stand in a file: `text` if the file is at hand. Then as values.
    """
    return [_checked(public, claim, text) for claim in claims]


def _checked(public: Table, claim: Claim, text: Table | None) -> CheckedClaim:
    seen = _seen(public, claim)
    for reading in (_as_text(seen, claim, text), seen):
        if reading is not None:
            (found,) = core.check_claims(rules, reading, [claim])
            if found.faults:
                return found
    return CheckedClaim(claim, [])


def _as_text(seen: Table, claim: Claim, text: Table | None) -> Table | None:
    """The cells of a claim as a reader of the file sees them; None if that is the same."""
    if claim.rule == "no-identifiers":
        return None
    by_size = claim.params.get("distance") == "ordered" and not claim.params.get("order")
    sensitive = [] if by_size else claim.params.get("sensitive", [])
    names = [
        name for name in (*claim.params.get("columns", ()), *sensitive) if name in seen.schema.names
    ]
    if text is not None:
        return seen.with_frame(seen.frame.with_columns(text.frame[name] for name in names))
    new = [cells for name in names if (cells := _written(seen.frame[name])) is not None]
    return seen.with_frame(seen.frame.with_columns(new)) if new else None


def _written(cells: pl.Series) -> pl.Series | None:
    """A column as text where its values are fewer or more than its texts; None: they are not."""
    if cells.dtype.is_float():  # 0.0 and -0.0 are one number and two texts
        return cells.cast(pl.String)
    if cells.dtype == pl.String and cells.null_count():  # missing and empty: one text
        return cells.fill_null("")
    return None


def claim_faults(public: Table, claims: Iterable[Claim], text: Table | None = None) -> list[Fault]:
    """All violations of all claims."""
    return [fault for checked in check_claims(public, claims, text) for fault in checked.faults]


def require_claims(public: Table, claims: Iterable[Claim]) -> None:
    """Fail, naming the smallest offending group, unless every claim holds."""
    core.require_no_faults(claim_faults(public, claims))


def _seen(public: Table, claim: Claim) -> Table:
    return public if claim.rule in COUNTS_CODES else public.with_text()
