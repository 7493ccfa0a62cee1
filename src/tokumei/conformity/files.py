"""Cases from files: contest histories of 2017 and 2018, and tables or histories with a header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tokumei.conformity.case import ConformityCase, Limits, Roles
from tokumei.data.files.contest_text import ContestText, read_contest
from tokumei.data.files.formats import AnyPath, input_error
from tokumei.data.files.links import read_link
from tokumei.data.files.periods import read_master
from tokumei.data.files.reading import read_frame
from tokumei.data.history import COLUMNS
from tokumei.data.periods.rows import DELETED, PERIOD_COLUMNS
from tokumei.text import Text

CUSTOMER_COLUMNS = ("sex", "birth", "country")
_HISTORY: Any = {name: name for name in ("day", "item", "price", "quantity")}


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
    return ConformityCase(
        after.frame[kept],
        kept + 1,
        Roles(person="customer", pseudonym="customer", invoice=invoice, **_HISTORY),
        original=before.frame,
        origin=kept,
        customers=None if master is None else read_master(master, encoding=encoding).frame,
        earlier=tuple(_regular(path, columns, encoding).frame["customer"] for path in earlier),
        # Contest releases are published sorted (`tokumei publish`).
        public=after.frame[kept].sort(pl.all()) if seen is None else seen,
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
    names = (read_frame(path, sep=sep, encoding=encoding) for path in earlier)
    return ConformityCase(
        _text(after),
        np.arange(after.height) + 2,
        roles,
        original=_text(before),
        origin=origin,
        earlier=tuple(
            frame[roles.pseudonym] for frame in names if roles.pseudonym in frame.columns
        ),
        public=_text(after),
        limits=limits,
    )


def _regular(path: AnyPath, columns: Sequence[str], encoding: str) -> ContestText:
    text = read_contest(path, columns, encoding=encoding)
    text.require_regular(path)
    return text


def _text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.all().cast(pl.String))
