"""Cases from files: contest histories of 2017 and 2018, and tables or histories with a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from tokumei.conformity.case import ConformityCase, Limits, Roles, row_texts
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.contest_text import ContestText, read_contest
from tokumei.files.links import read_link
from tokumei.files.reading import read_frame
from tokumei.histories.data.history import COLUMNS
from tokumei.pseudonyms.data.rows import DELETED, PERIOD_COLUMNS
from tokumei.pseudonyms.formats.pws2017 import read_master
from tokumei.tables.data.schema import COLUMN

CUSTOMER_COLUMNS = ("sex", "birth", "country")
_HISTORY: Any = {name: name for name in ("day", "item", "price", "quantity")}
_PLACES = (*_HISTORY, "invoice")


def contest_case(
    original: AnyPath,
    release: AnyPath,
    *,
    format: str,
    master: AnyPath | None = None,
    public: AnyPath | None = None,
    earlier: Sequence[AnyPath] = (),
    limits: Limits,
    encoding: str = "auto",
) -> ConformityCase:
    """Row-aligned contest files: T (and M), the release A, its public form, earlier ones."""
    columns = PERIOD_COLUMNS if format == "pws2017" else COLUMNS
    before = _regular(original, columns, encoding)
    after = _regular(release, columns, encoding)
    if before.rows != after.rows:
        raise input_error(
            release,
            Text(
                f"{after.rows} row(s), but the original has {before.rows}",
                f"{after.rows} 行ありますが、元データは {before.rows} 行です",
            ),
        )
    kept = np.flatnonzero(~after.frame["customer"].is_in([DELETED, "*"]).to_numpy())
    seen = None if public is None else _regular(public, columns, encoding).frame
    invoice = "invoice" if format == "pws2017" else None
    rows = after.frame[kept]
    if seen is not None and not row_texts(seen).sort().equals(row_texts(rows).sort()):
        raise input_error(
            public or "",
            Text(
                "these are not the rows of the release; a report on one says nothing of the other",
                "匿名加工データの行と一致しません。一方の報告は他方について何も示しません",
            ),
        )
    return ConformityCase(
        rows,
        kept + 1,
        Roles(person="customer", pseudonym="customer", invoice=invoice, **_HISTORY),
        original=before.frame,
        origin=kept,
        customers=None if master is None else read_master(master, encoding=encoding).frame,
        earlier=tuple(_regular(path, columns, encoding).frame["customer"] for path in earlier),
        # Contest releases are published sorted (`tokumei publish`).
        public=rows[row_texts(rows).arg_sort()] if seen is None else seen,
        limits=limits,
    )


def table_case(
    original: AnyPath,
    release: AnyPath,
    *,
    roles: Roles,
    truth: AnyPath | None = None,
    earlier: Sequence[AnyPath] = (),
    limits: Limits,
    sep: str | None = None,
    encoding: str = "auto",
) -> ConformityCase:
    """Files with a header; `truth` tells which original row each released row comes from."""
    before = read_frame(original, sep=sep, encoding=encoding)
    after = read_frame(release, sep=sep, encoding=encoding)
    origin = None
    if truth is not None:
        origin = read_link(truth, released=after.height, original=before.height)
    roles = _known_roles(roles, before.columns, after.columns)
    return ConformityCase(
        _text(after),
        np.arange(after.height) + 2,
        roles,
        original=_text(before),
        origin=origin,
        earlier=tuple(_pseudonyms(path, roles.pseudonym, sep, encoding) for path in earlier),
        public=_text(after),
        limits=limits,
    )


def _known_roles(roles: Roles, original: list[str], release: list[str]) -> Roles:
    """The roles of columns that are there; a name that is nowhere is an error, not a pass."""
    places = {name: getattr(roles, name) for name in _PLACES}
    for names, columns, where in (
        ((roles.person, *roles.identifiers), original, "original"),
        ((roles.pseudonym, *roles.qi), release, "release"),
        (places.values(), list(dict.fromkeys([*release, *original])), "release, original"),
    ):
        for name in names:
            if name is not None and name not in columns:
                raise UnknownNameError(COLUMN, name, columns, where=where)
    gone: dict[str, Any] = {role: None for role, name in places.items() if name not in release}
    return replace(roles, **gone)


def _pseudonyms(path: AnyPath, name: str | None, sep: str | None, encoding: str) -> pl.Series:
    """The pseudonyms of an earlier release."""
    if name is None:
        raise UsageError(
            Text("--earlier needs --pseudonym", "--earlier には --pseudonym が必要です")
        )
    frame = read_frame(path, sep=sep, encoding=encoding)
    if name not in frame.columns:
        raise UnknownNameError(COLUMN, name, frame.columns, where=str(path))
    return frame[name]


def _regular(path: AnyPath, columns: Sequence[str], encoding: str) -> ContestText:
    text = read_contest(path, columns, encoding=encoding)
    text.require_regular(path)
    return text


def _text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.all().cast(pl.String))
