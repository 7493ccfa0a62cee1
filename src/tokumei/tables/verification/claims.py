"""Recomputes the claims of a released table from its public rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

import polars as pl

from tokumei.core import claims as core
from tokumei.core.claims import CheckedClaim
from tokumei.core.errors import Violation
from tokumei.core.provenance import Claim
from tokumei.files.column_types import infer_column_types, normalize_numbers, normalize_words
from tokumei.tables.data.table import Table
from tokumei.tables.registry import claim_checks

CODE_COUNTING_RULES = ("k-anonymity", "no-identifiers")
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
    return [_check_claim(public, claim, text) for claim in claims]


def _check_claim(public: Table, claim: Claim, text: Table | None) -> CheckedClaim:
    prepared = _prepare_table(public, claim)
    for reading in _cell_readings(
        prepared, claim, prepared if text is None else _prepare_table(text, claim)
    ):
        (result,) = core.check_claims(claim_checks, reading, [claim])
        if result.faults:
            return result
    return CheckedClaim(claim, [])


def _cell_readings(prepared: Table, claim: Claim, text: Table) -> Iterator[Table]:
    """The table as values, and as text, numbers and words where those are other readings."""
    params, sensitive = claim.params, claim.params.get("sensitive", [])
    by_text = bool(params.get("order") or params.get("hierarchy"))
    by_size = params.get("distance") == "ordered" and not by_text
    if by_size:  # the cells have no order but that of their numbers
        prepared = _replace_columns(
            prepared,
            (
                _parse_datetimes(cells_column)
                for cells_column in infer_column_types(prepared.frame.select(sensitive))
            ),
        )
    if by_text:  # the claim names the texts
        prepared = _replace_columns(prepared, text.frame.select(sensitive))
    yield prepared
    if by_size and (ranks := _exact_ranks(text.frame.select(sensitive), prepared.frame)):
        yield _replace_columns(prepared, ranks)
    if claim.rule == "no-identifiers":
        return
    names = dict.fromkeys([*params.get("columns", ()), *([] if by_size else sensitive)])
    cells = text.frame.select(name for name in names if name in prepared.schema.names)
    if text_columns := [
        text_column
        for cells_column in cells
        if (text_column := _to_text_column(cells_column, prepared.frame[cells_column.name]))
        is not None
    ]:
        yield _replace_columns(prepared, text_columns)
    if sensitive and not by_text:
        texts = [cells_column for cells_column in cells if cells_column.dtype == pl.String]
        sensitive_texts = [cells_column for cells_column in texts if cells_column.name in sensitive]
        for readings in (map(normalize_numbers, texts), map(normalize_words, sensitive_texts)):
            if converted := [cells_column for cells_column in readings if cells_column is not None]:
                yield _replace_columns(prepared, converted)


def _replace_columns(table: Table, cells: Iterable[pl.Series]) -> Table:
    return table.with_frame(table.frame.with_columns(*cells))


def _parse_datetimes(cells: pl.Series) -> pl.Series:
    """Text that is all moments as such; other cells as they are."""
    if cells.dtype != pl.String:
        return cells
    moments = cells.str.to_datetime(strict=False)
    return cells if moments.null_count() > cells.null_count() else moments


def _exact_ranks(text: pl.DataFrame, prepared: pl.DataFrame) -> list[pl.Series]:
    """Numbers with more digits than a float holds, by the places of their exact sizes."""
    return [
        _rank_exactly(cells)
        for cells in text
        if cells.dtype == pl.String
        and prepared[cells.name].dtype.is_float()
        and prepared[cells.name].is_finite().all()
        and (cells.str.len_chars() > FLOAT_DIGITS).any()
    ]


def _rank_exactly(cells: pl.Series) -> pl.Series:
    sizes = {text: Decimal(text) for text in cells.drop_nulls().unique()}
    rank_of_size = {size: rank for rank, size in enumerate(sorted(set(sizes.values())))}
    texts = list(sizes)
    return cells.replace_strict(
        texts, [rank_of_size[sizes[cell_text]] for cell_text in texts], return_dtype=pl.Int64
    )


def _to_text_column(text: pl.Series, prepared: pl.Series) -> pl.Series | None:
    """A column as text if its texts may be fewer or more than its values; None: they are not."""
    if text.dtype.is_float():  # 0.0 and -0.0 are one number and two texts
        return text.cast(pl.String)
    if text.dtype == pl.String and text.null_count():  # missing and empty: one text
        return text.fill_null("")
    return None if text.dtype == prepared.dtype else text


def claim_violations(
    public: Table, claims: Iterable[Claim], text: Table | None = None
) -> list[Violation]:
    """All violations of all claims."""
    return [fault for checked in check_claims(public, claims, text) for fault in checked.faults]


def _prepare_table(public: Table, claim: Claim) -> Table:
    return public if claim.rule in CODE_COUNTING_RULES else public.with_text()
