"""What a released table claims, recomputed from its public rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

import polars as pl

from tokumei.core import claims as core
from tokumei.core.claims import CheckedClaim
from tokumei.core.errors import Fault
from tokumei.core.release import Claim
from tokumei.files.column_types import as_numbers, as_words, typed
from tokumei.tables.data.table import Table
from tokumei.tables.registry import rules

COUNTS_CODES = ("k-anonymity", "no-identifiers")
"""The rules that need not see compact text as text."""
FLOAT_DIGITS = 15
"""Decimal numbers of so many digits are different floats if they are different."""


def check_claims(
    public: Table, claims: Iterable[Claim], text: Table | None = None
) -> list[CheckedClaim]:
    """Recompute every claim from the public part, in each way that its cells may be read.

    As text first, the way they stand in a file: `text` if that is at hand. Then as values; text
    that is all numbers as numbers, where equal ones are one value; and sensitive text as words.
    """
    return [_checked(public, claim, text) for claim in claims]


def _checked(public: Table, claim: Claim, text: Table | None) -> CheckedClaim:
    seen = _seen(public, claim)
    for reading in _readings(seen, claim, seen if text is None else _seen(text, claim)):
        (found,) = core.check_claims(rules, reading, [claim])
        if found.faults:
            return found
    return CheckedClaim(claim, [])


def _readings(seen: Table, claim: Claim, text: Table) -> Iterator[Table]:
    """The table as values, and as text, numbers and words where those are other readings."""
    params, sensitive = claim.params, claim.params.get("sensitive", [])
    by_text = bool(params.get("order") or params.get("hierarchy"))
    by_size = params.get("distance") == "ordered" and not by_text
    if by_size:  # the cells have no order but that of their numbers
        seen = _with(seen, (_measured(one) for one in typed(seen.frame.select(sensitive))))
    if by_text:  # the claim names the texts
        seen = _with(seen, text.frame.select(sensitive))
    yield seen
    if by_size and (places := _exact_places(text.frame.select(sensitive), seen.frame)):
        yield _with(seen, places)
    if claim.rule == "no-identifiers":
        return
    names = dict.fromkeys([*params.get("columns", ()), *([] if by_size else sensitive)])
    cells = text.frame.select(name for name in names if name in seen.schema.names)
    if written := [
        new for one in cells if (new := _written(one, seen.frame[one.name])) is not None
    ]:
        yield _with(seen, written)
    if sensitive and not by_text:
        texts = [one for one in cells if one.dtype == pl.String]
        shown = [one for one in texts if one.name in sensitive]
        for found in (map(as_numbers, texts), map(as_words, shown)):
            if read := [one for one in found if one is not None]:
                yield _with(seen, read)


def _with(table: Table, cells: Iterable[pl.Series]) -> Table:
    return table.with_frame(table.frame.with_columns(*cells))


def _measured(cells: pl.Series) -> pl.Series:
    """Text that is all moments as such; other cells as they are."""
    if cells.dtype != pl.String:
        return cells
    moments = cells.str.to_datetime(strict=False)
    return cells if moments.null_count() > cells.null_count() else moments


def _exact_places(text: pl.DataFrame, seen: pl.DataFrame) -> list[pl.Series]:
    """Numbers with more digits than a float holds, by the places of their exact sizes."""
    return [
        _places(cells)
        for cells in text
        if cells.dtype == pl.String
        and seen[cells.name].dtype.is_float()
        and seen[cells.name].is_finite().all()
        and (cells.str.len_chars() > FLOAT_DIGITS).any()
    ]


def _places(cells: pl.Series) -> pl.Series:
    sizes = {text: Decimal(text) for text in cells.drop_nulls().unique()}
    place = {size: at for at, size in enumerate(sorted(set(sizes.values())))}
    texts = list(sizes)
    return cells.replace_strict(texts, [place[sizes[one]] for one in texts], return_dtype=pl.Int64)


def _written(text: pl.Series, seen: pl.Series) -> pl.Series | None:
    """A column as text if its texts may be fewer or more than its values; None: they are not."""
    if text.dtype.is_float():  # 0.0 and -0.0 are one number and two texts
        return text.cast(pl.String)
    if text.dtype == pl.String and text.null_count():  # missing and empty: one text
        return text.fill_null("")
    return None if text.dtype == seen.dtype else text


def claim_faults(public: Table, claims: Iterable[Claim], text: Table | None = None) -> list[Fault]:
    """All violations of all claims."""
    return [fault for checked in check_claims(public, claims, text) for fault in checked.faults]


def _seen(public: Table, claim: Claim) -> Table:
    return public if claim.rule in COUNTS_CODES else public.with_text()
