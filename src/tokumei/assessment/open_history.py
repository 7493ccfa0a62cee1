"""Opens a purchase history and its release: row-aligned, or public with who is who.

Every cell of a released history holds the true value. So if only the public rows and the pairs of
pseudonym and customer are given, each customer's rows are matched with purchases that fit; whoever
has rows that fit none has another's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.history_attack import LikelihoodOfHistories
from tokumei.assessment.match_purchases import match_rows
from tokumei.assessment.opened_purchases import CUSTOMER, OpenedPurchases, as_labels, no_link
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.purchase_claims import check_public_claims, claims_of_manifest
from tokumei.core.errors import InputError
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import SUPPRESSED_CELL, positions_in
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario
from tokumei.files.file_formats import AnyPath
from tokumei.files.frame_conversion import ArrowFrame, to_polars
from tokumei.files.release_files import read_manifest
from tokumei.histories.anonymizers.grouping_method import GroupingMethod
from tokumei.histories.data.generalized_history import format_general_history
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.kind import HISTORIES
from tokumei.histories.registry import anonymizers
from tokumei.histories.services.anonymize import anonymize_history
from tokumei.histories.services.read import layout_of_source, read_history
from tokumei.histories.services.requests import AnonymizeHistoryRequest, HistorySource
from tokumei.tables.data.table import Table

USUAL = ("day", "item")
"""What others can see of a purchase."""
NUMBERS = {"price": pl.Float64, "quantity": pl.Int64}
REMAKE_METHOD, REMAKE_SEED = "rank-match", 35


@dataclass(frozen=True, kw_only=True)
class AssessHistory:
    """The request: a history, a release of it, and the scenario.

    `release` is a release made here, a file with all rows in the original's order (deleted ones
    `*`), or the public file; `truth` then names the customer of every pseudonym.
    """

    original: HistorySource
    release: HistoryRelease | AnyPath | ArrowFrame
    truth: AnyPath | pl.DataFrame | None = None
    scenario: Scenario = field(default_factory=Scenario)
    remedies: bool = True


@dataclass(frozen=True, eq=False)
class _ReleasedCells:
    """Released rows as text, the pseudonym of each, the original row of each if it is known."""

    cells: pl.DataFrame
    link: np.ndarray | None
    categories: Mapping[str, str] | None = None
    claims: tuple[Any, ...] = ()
    method: str = REMAKE_METHOD


def open_history(request: AssessHistory) -> OpenedPurchases:
    """Both sides, who is who, and what the release claims."""
    read = read_history(request.original)
    history = read.original or read.history
    released = _read_release(request, history)
    if read.mapping is not None:
        released = replace(released, categories=read.mapping)
    opened = _open_cells(history, released, _read_truth(request, history, released), read.notes)
    claims = check_public_claims(HISTORIES.claim_checks, released.cells, released.claims)
    return replace(opened, claims=tuple(claims))


def _read_release(request: AssessHistory, history: History) -> _ReleasedCells:
    release = request.release
    if isinstance(release, HistoryRelease):
        return _cells_of_release(release, None if history.recoded else release.categories)
    manifest: Mapping[str, Any] = {}
    if isinstance(release, str | os.PathLike):
        rows = layout_of_source(request.original).read_released(release)
        rows.require_regular(release)
        cells, manifest = rows.frame, read_manifest(str(release))
    else:
        cells = _cells_of_frame(release, history)
    kept = (cells[CUSTOMER] != SUPPRESSED_CELL).to_numpy()
    is_aligned = request.truth is None and cells.height == history.rows and not manifest
    link = np.flatnonzero(kept) if is_aligned else None
    claims, method = claims_of_manifest(manifest), _method_of(manifest)
    return _ReleasedCells(cells.filter(pl.Series(kept)), link, None, claims, method)


def _cells_of_frame(frame: ArrowFrame, history: History) -> pl.DataFrame:
    """Released cells as text under a history's own names, whichever names a frame uses."""
    cells = to_polars(frame)
    own = {source: name for name, source in history.names.items() if source in cells.columns}
    cells = cells.rename(own).select(pl.all().cast(pl.String))
    missing = [name for name in history.names or COLUMNS if name not in cells.columns]
    if missing:
        raise InputError("the release has no column '{column}'", column=missing[0])
    return cells


def _cells_of_release(
    release: HistoryRelease, categories: Mapping[str, str] | None
) -> _ReleasedCells:
    kept = release.rows.kept
    cells = format_general_history(release.rows).filter(pl.Series(kept))
    steps = [dict(step) for step in release.provenance.steps]
    method = next((str(step.get("method", "")) for step in steps), "")
    return _ReleasedCells(cells, np.flatnonzero(kept), categories, release.claims, method)


def _method_of(manifest: Mapping[str, Any]) -> str:
    steps = manifest.get("provenance", {}).get("steps", [])
    return next((str(step.get("method", "")) for step in steps if isinstance(step, dict)), "")


def _read_truth(
    request: AssessHistory, history: History, released: _ReleasedCells
) -> np.ndarray | None:
    """By released row the place of its customer; None where nobody tells."""
    if released.link is not None:
        return np.asarray(history.customer_codes[released.link])
    truth = request.truth
    if truth is None:
        return None
    if isinstance(truth, pl.DataFrame):
        pairs = truth.rename(dict(zip(truth.columns, ("pid", "cid"), strict=True)))
    else:
        pairs = layout_of_source(request.original).read_pairs(truth).frame
    pairs = pairs.select(pl.all().cast(pl.String))
    if pairs["pid"].is_duplicated().any():
        raise InputError("{truth}: a pseudonym is named twice", truth=field_name("truth"))
    place = positions_in(released.cells[CUSTOMER], pairs["pid"])
    customer = positions_in(pairs["cid"], history.customers.cast(pl.String))
    named = np.append(customer, -1)[place]
    if (named < 0).any():
        raise InputError(
            "{truth} must name a customer of the original for every pseudonym of the release",
            truth=field_name("truth"),
            field="truth",
        )
    return np.asarray(named)


def _open_cells(
    history: History,
    released: _ReleasedCells,
    customer: np.ndarray | None,
    notes: list[Message] | None = None,
) -> OpenedPurchases:
    before, after = _frames(history, released)
    owner = np.unique(released.cells[CUSTOMER].to_numpy(), return_inverse=True)[1]
    columns = _encode_columns(history, before, after)
    link, strays = released.link, 0
    if link is None and customer is not None:
        link, strays = match_rows(columns, customer, history.customer_codes)
    elif link is not None:
        strays = _count_strays(columns, link)
    rows = OpenedRelease(
        Table.of(before, qi=tuple(columns), sa=(), ids=(CUSTOMER,)),
        Table.of(after, qi=(), sa=(), ids=(CUSTOMER,)),
        link,
        person=CUSTOMER,
        identifiers=frozenset({CUSTOMER}),
        pseudonyms=frozenset({CUSTOMER}),
        notes=tuple(notes or ()),
        encoded=columns,
    )
    days = history.frame["day"]
    return OpenedPurchases(
        rows,
        owner,
        (days.dt.year().cast(pl.Int64) * 12 + days.dt.month() - 1).to_numpy(),
        tuple(name for name in USUAL if name in columns),
        {"": LikelihoodOfHistories(history)},
        unknown=() if link is not None else (no_link(),),
        remake=partial(_remake, history, released.method),
        labels=frozenset(name for name in columns if history.like.get(name, name) == "item"),
        stray_rows=strays,
    )


def _remake(history: History, name: str, k: int) -> OpenedPurchases:
    """The release that a grouping method makes of this history."""
    if name not in anonymizers.names() or history.rows > 20_000:
        name = REMAKE_METHOD
    method: GroupingMethod = anonymizers.build(name, {"k": k})
    request = AnonymizeHistoryRequest(
        source=HistorySource(data=history), method=method, seed=REMAKE_SEED
    )
    release = anonymize_history(request)
    cells = _cells_of_release(release, None)
    assert cells.link is not None
    return _open_cells(history, cells, history.customer_codes[cells.link])


def _frames(history: History, released: _ReleasedCells) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both sides with the columns that the source has, in its own types where cells are plain."""
    names = [
        name for name in (*COLUMNS[1:], *history.like) if not history.names or name in history.names
    ]
    before, after = {CUSTOMER: history.frame[CUSTOMER]}, {CUSTOMER: released.cells[CUSTOMER]}
    for name in names:
        like = history.like.get(name, name)
        before[name] = _original_column(history, name, like)
        cells = released.cells[name].alias(name)
        if like == "item" and released.categories is not None:
            cells = expand_categories(cells, released.categories)
        after[name] = typed_column(cells, like)
    return pl.DataFrame(list(before.values())), pl.DataFrame(list(after.values()))


def _original_column(history: History, name: str, like: str) -> pl.Series:
    if like == "price":
        return pl.Series(name, history.numbers(name) / 10**history.decimals)
    return history.frame[name]


def typed_column(cells: pl.Series, like: str) -> pl.Series:
    """Released cells as days or numbers if all of them are plain, else as text with ISO days."""
    if like == "day":
        plain = cells.str.strptime(pl.Date, "%Y/%m/%d", strict=False)
        if not plain.null_count():
            return plain
        distinct = cells.unique()
        iso = distinct.str.replace_all(r"/(\d)([/;\]]|$)", "/0$1$2")
        iso = iso.str.replace_all(r"/(\d)([/;\]]|$)", "/0$1$2").str.replace_all("/", "-")
        return cells.replace_strict(distinct, iso, return_dtype=pl.String).alias(cells.name)
    if like in NUMBERS:
        number = cells.cast(NUMBERS[like], strict=False)
        return cells if number.null_count() else number
    return cells


def expand_categories(cells: pl.Series, categories: Mapping[str, str]) -> pl.Series:
    """Cells of categories as the sets of the items in them."""
    members: dict[str, list[str]] = {}
    for item, category in categories.items():
        members.setdefault(category, []).append(item)
    distinct = cells.unique()
    spelled = []
    for cell in distinct.to_list():
        names = cell[1:-1].split(";") if cell.startswith("{") and cell.endswith("}") else [cell]
        items = sorted({item for name in names for item in members.get(name, [name])})
        spelled.append(items[0] if len(items) == 1 else "{" + ";".join(items) + "}")
    return cells.replace_strict(distinct, spelled, return_dtype=pl.String).alias(cells.name)


def _encode_columns(
    history: History, before: pl.DataFrame, after: pl.DataFrame
) -> dict[str, ColumnCodes]:
    columns = dict[str, ColumnCodes]()
    for name in after.columns:
        if name != CUSTOMER:
            codes = ColumnCodes.of(before[name], after[name], None)
            is_item = history.like.get(name, name) == "item"
            columns[name] = as_labels(codes) if is_item else codes
    return columns


def _count_strays(columns: Mapping[str, ColumnCodes], link: np.ndarray) -> int:
    """Released rows with a cell that does not hold the value of their original row."""
    holds = np.ones(len(link), dtype=bool)
    for codes in columns.values():
        rank = codes.value_rank[link]
        holds &= codes.covers(codes.cell_code, rank, rank)
    return int((~holds).sum())
