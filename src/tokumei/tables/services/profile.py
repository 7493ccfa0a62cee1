"""Profiles a table: what every column is, who is a person, and what only the owner can decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokumei.core.errors import InputError
from tokumei.tables.profiling.profiler import SAMPLE_ROWS, look
from tokumei.tables.services.read_table import describe_made_up_names

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import TableProfile


@dataclass(frozen=True, kw_only=True)
class ProfileTableRequest:
    """A file and how it is read; `rows` are sampled to decide types (None: all)."""

    data: str
    encoding: str = "auto"
    sep: str | None = None
    sheet: str | None = None
    header_row: str | None = None
    rows: int | None = SAMPLE_ROWS
    no_normalize: tuple[str, ...] = ()
    encoding_errors: str = "strict"
    date_order: str | None = None
    two_digit_years: int | None = None
    strict: bool = False


def profile_table(request: ProfileTableRequest) -> TableProfile:
    """Profile the table of a file; nothing is written."""
    profile = look(
        request.data,
        encoding=request.encoding,
        sep=request.sep,
        sheet=request.sheet,
        header_row=request.header_row,
        rows=request.rows,
        no_normalize=request.no_normalize,
        encoding_errors=request.encoding_errors,
        date_order=request.date_order,
        two_digit_years=request.two_digit_years,
    )
    if request.strict and profile.source.renamed:
        raise InputError(describe_made_up_names(profile.source.renamed))
    return profile
