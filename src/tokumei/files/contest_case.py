"""The conformity case of a contest's files: row-aligned, without a header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.conformity import ROLES, CaseFiles, ConformityCase, Roles, row_texts
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.contest_text import ContestText, read_contest

KNOWN = {
    Text("a quarter of the purchases known", "購買の 4 分の 1 を知る場合"): 0.25,
    Text("all purchases known", "すべての購買を知る場合"): 1.0,
}
"""Ordinary and full knowledge, and the shares of the purchases they are."""
_HISTORY: Any = {name: name for name in ("day", "item", "price", "quantity")}


def contest_case(
    files: CaseFiles,
    columns: Sequence[str],
    *,
    deleted: str,
    invoice: str | None = None,
    customers: pl.DataFrame | None = None,
) -> ConformityCase:
    """The case of T and A; rows whose customer is `deleted` were left out."""
    before = _regular(files.original, columns, files.encoding)
    after = _regular(files.release, columns, files.encoding)
    if before.rows != after.rows:
        raise input_error(
            files.release,
            f"{after.rows} row(s), but the original has {before.rows}",
            f"{after.rows} 行ありますが、元データは {before.rows} 行です",
        )
    kept = np.flatnonzero((after.frame["customer"] != deleted).to_numpy())
    rows = after.frame[kept]
    seen = None if files.public is None else _regular(files.public, columns, files.encoding).frame
    if seen is not None and not row_texts(seen).sort().equals(row_texts(rows).sort()):
        raise input_error(
            files.public or "",
            "these are not the rows of the release; a report on one says nothing about the other",
            "匿名加工データの行と一致しません。一方の報告は他方について何も示しません",
        )
    return ConformityCase(
        rows,
        kept + 1,
        Roles(person="customer", pseudonym="customer", invoice=invoice, **_HISTORY),
        original=before.frame,
        origin=kept,
        customers=customers,
        earlier=tuple(
            _regular(path, columns, files.encoding).frame["customer"] for path in files.earlier
        ),
        # Contest releases are published sorted (`tokumei publish`).
        public=rows[row_texts(rows).arg_sort()] if seen is None else seen,
        limits=files.limits,
    )


def refuse_table_options(files: CaseFiles) -> None:
    """Fail if a column is named, or a link given: these files have no header and are aligned."""
    roles = files.roles
    files.refuse(
        hierarchies=files.hierarchies,
        truth=files.truth,
        person=roles.person,
        pseudonym=roles.pseudonym,
        id=roles.identifiers,
        qi=roles.qi,
        sa=files.sa,
        roles=[name for name in ROLES if getattr(roles, name) is not None],
    )


def _regular(path: AnyPath, columns: Sequence[str], encoding: str) -> ContestText:
    text = read_contest(path, columns, encoding=encoding)
    text.require_regular(path)
    return text
