"""Opens pseudonyms over time: purchases and customers, and a release of them.

A release is row-aligned (deleted rows `DEL`), or the public rows with the secret table: the
pseudonym of every customer in every period. Then the rows of each pseudonym and month are matched
with the purchases of its customer that differ least.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.match_purchases import match_noisy_rows
from tokumei.assessment.opened_purchases import CUSTOMER, OpenedPurchases, encode_names, no_link
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.period_attack import BestOfPeriods, ProfileOfPeriods
from tokumei.assessment.purchase_claims import check_public_claims, claims_of_manifest
from tokumei.core.errors import InputError
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import positions_in
from tokumei.core.scenario import Scenario
from tokumei.files.file_formats import AnyPath
from tokumei.files.release_files import read_manifest
from tokumei.pseudonyms.data.period_history import MASTER_COLUMNS, PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import NO_DAY, NO_TIME, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_rows, read_table
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.services.anonymize import read_periods
from tokumei.pseudonyms.services.requests import PeriodSource
from tokumei.tables.data.table import Table

USUAL = ("day", "item")
"""What others can see of a purchase."""


@dataclass(frozen=True, kw_only=True)
class AssessPeriods:
    """The request: purchases with their customers, a release under pseudonyms, the scenario.

    `release` is a release made here, a file with all rows in the original's order, or the public
    file; `truth` is then the secret table of pseudonyms.
    """

    original: PeriodSource
    release: PeriodRelease | PeriodRows | AnyPath
    truth: PseudonymTable | AnyPath | None = None
    scenario: Scenario = field(default_factory=Scenario)
    remedies: bool = True
    encoding: str = "auto"


def open_periods(request: AssessPeriods) -> OpenedPurchases:
    """Both sides, who is behind each pseudonym, and what the release claims."""
    source, release = read_periods(request.original), request.release
    manifest: Mapping[str, Any] = {}
    if isinstance(release, PeriodRelease):
        rows, claims = release.rows, release.claims
    else:
        if isinstance(release, str | os.PathLike):
            manifest = read_manifest(str(release))
        rows, claims = read_rows(release, encoding=request.encoding), claims_of_manifest(manifest)
    kept = np.flatnonzero(rows.kept)
    is_aligned = request.truth is None and rows.rows == source.rows.rows and not manifest
    columns = _columns(source, rows.take(kept))
    link = kept if is_aligned or isinstance(release, PeriodRelease) else None
    strays = 0
    if link is None and request.truth is not None:
        link, strays = _match(request, source, rows.take(kept), columns)
    opened = _open_rows(source, rows.take(kept), columns, link)
    lines = check_public_claims(PSEUDONYMS.claim_checks, rows.take(kept).cells, claims)
    return replace(opened, claims=tuple(lines), stray_rows=strays)


def _match(
    request: AssessPeriods,
    source: PeriodHistory,
    rows: PeriodRows,
    columns: Mapping[str, tuple[pl.Series, pl.Series, ColumnCodes]],
) -> tuple[np.ndarray, int]:
    """By released row the likeliest original row of its customer and month."""
    months, truth = source.months, request.truth
    table = (
        truth
        if isinstance(truth, PseudonymTable)
        else read_table(truth, periods=months.count, encoding=request.encoding)  # type: ignore[arg-type]
    )
    period, codes = months.of(rows.days), table.codes_among(rows.people)
    customer = positions_in(table.customers, source.master.customers)
    owner = np.full((months.count, len(rows.people) + 1), -1, dtype=np.int64)
    for place in range(min(table.periods, months.count)):
        named = np.flatnonzero(codes[:, place] >= 0)
        owner[place, codes[named, place]] = customer[named]
    person = owner[period, rows.person]
    if (person < 0).any() or (period < 0).any():
        raise InputError(
            "{truth} must name a customer of the original for every pseudonym and month of the "
            "release",
            truth=field_name("truth"),
            field="truth",
        )
    encoded = {name: codes for name, (_, _, codes) in columns.items()}
    return match_noisy_rows(
        encoded,
        person * months.count + period,
        source.person * months.count + source.period,
    )


def _columns(
    source: PeriodHistory, rows: PeriodRows
) -> dict[str, tuple[pl.Series, pl.Series, ColumnCodes]]:
    """Every column of both sides that says something, in its own type."""
    sides = [_typed(side) for side in (source.rows, rows)]
    columns = dict[str, tuple[pl.Series, pl.Series, ColumnCodes]]()
    for name, before in sides[0].items():
        after = sides[1][name]
        if pl.concat([before, after]).n_unique() > 1:
            is_name = name in ("item", "invoice")
            encode = encode_names if is_name else _encode_numbers
            columns[name] = (before, after, encode(before, after))
    return columns


def _encode_numbers(before: pl.Series, after: pl.Series) -> ColumnCodes:
    return ColumnCodes.of(before, after, None)


def _typed(rows: PeriodRows) -> dict[str, pl.Series]:
    days = pl.Series("day", rows.days)
    minutes = pl.Series("time", rows.minutes)
    return {
        "invoice": rows.cells["invoice"],
        "day": days.set(days == NO_DAY, None).cast(pl.Int32).cast(pl.Date),
        "time": minutes.set(minutes == NO_TIME, None),
        "item": rows.cells["item"],
        "price": pl.Series("price", rows.prices).fill_nan(None),
        "quantity": pl.Series("quantity", rows.quantities).fill_nan(None),
    }


def _open_rows(
    source: PeriodHistory,
    rows: PeriodRows,
    columns: Mapping[str, tuple[pl.Series, pl.Series, ColumnCodes]],
    link: np.ndarray | None,
) -> OpenedPurchases:
    sides = (source.rows.cells[CUSTOMER], rows.cells[CUSTOMER])
    before = pl.DataFrame([sides[0], *(pair[0].alias(n) for n, pair in columns.items())])
    after = pl.DataFrame([sides[1], *(pair[1].alias(n) for n, pair in columns.items())])
    opened = OpenedRelease(
        Table.of(before, qi=tuple(columns), sa=(), ids=(CUSTOMER,)),
        Table.of(after, qi=(), sa=(), ids=(CUSTOMER,)),
        link,
        person=CUSTOMER,
        identifiers=frozenset({CUSTOMER}),
        pseudonyms=frozenset({CUSTOMER}),
        encoded={name: codes for name, (_, _, codes) in columns.items()},
    )
    date = source.rows.days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    people = source.master.frame[source.person]
    return OpenedPurchases(
        opened,
        rows.person,
        date + 1970 * 12,
        tuple(name for name in USUAL if name in columns),
        {"": BestOfPeriods(source), "earlier": ProfileOfPeriods(source)},
        unknown=() if link is not None else (no_link(),),
        groups={
            name: people[name]
            for name in MASTER_COLUMNS[1:]
            if name in people.columns and people[name].n_unique() > 1
        },
        is_split=True,
    )
