"""Builds the conformity case of row-aligned contest files without a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from tokumei.core.conformity_case import (
    PURCHASE_ROLES,
    CaseFiles,
    ConformityCase,
    Roles,
    rows_as_text,
)
from tokumei.core.messages import Message
from tokumei.files.contest_files import ContestRows, read_contest_file
from tokumei.files.file_formats import AnyPath, input_error

KNOWLEDGE_SHARES = {
    Message("a quarter of the purchases known"): 0.25,
    Message("all purchases known"): 1.0,
}
"""Ordinary and full knowledge, and the shares of the purchases they are."""
_CONTEST_ROLES = Roles(
    "customer", "customer", day="day", item="item", price="price", quantity="quantity"
)


def build_contest_case(
    files: CaseFiles,
    columns: Sequence[str],
    *,
    deleted: str,
    invoice: str | None = None,
    customers: pl.DataFrame | None = None,
) -> ConformityCase:
    """The case of T and A; rows whose customer is `deleted` were left out."""
    original_text = _read_without_malformed_rows(files.original, columns, files.encoding)
    release_text = _read_without_malformed_rows(files.release, columns, files.encoding)
    if original_text.rows != release_text.rows:
        raise input_error(
            files.release,
            Message(
                "{count} row, but the original has {original}",
                plural="{count} rows, but the original has {original}",
                count=release_text.rows,
                original=original_text.rows,
            ),
        )
    kept_rows = np.flatnonzero((release_text.frame["customer"] != deleted).to_numpy())
    rows = release_text.frame[kept_rows]
    public_rows = (
        None
        if files.public is None
        else _read_without_malformed_rows(files.public, columns, files.encoding).frame
    )
    if public_rows is not None and not rows_as_text(public_rows).sort().equals(
        rows_as_text(rows).sort()
    ):
        raise input_error(
            files.public or "",
            Message(
                "these are not the rows of the release; a report on one says nothing about the "
                "other"
            ),
        )
    return ConformityCase(
        rows,
        kept_rows + 1,
        replace(_CONTEST_ROLES, invoice=invoice),
        original=original_text.frame,
        origin=kept_rows,
        customers=customers,
        earlier=tuple(
            _read_without_malformed_rows(path, columns, files.encoding).frame["customer"]
            for path in files.earlier
        ),
        # Contest releases are published sorted (`tokumei publish`).
        public=rows[rows_as_text(rows).arg_sort()] if public_rows is None else public_rows,
        limits=files.limits,
    )


def refuse_table_options(files: CaseFiles) -> None:
    """Fail if a column is named, or a link given: these files have no header and are aligned."""
    roles = files.roles
    files.refuse_unused(
        hierarchies=files.hierarchies,
        truth=files.truth,
        person=roles.person,
        pseudonym=roles.pseudonym,
        id=roles.identifiers,
        qi=roles.qi,
        sa=files.sa,
        roles=[name for name in PURCHASE_ROLES if getattr(roles, name) is not None],
    )


def _read_without_malformed_rows(
    path: AnyPath, columns: Sequence[str], encoding: str
) -> ContestRows:
    text = read_contest_file(path, columns, encoding=encoding)
    text.require_regular(path)
    return text
