"""Contribution of a released history to the ledger: what it reveals of each person.

A class is the people whose released purchases are exactly alike. Pseudonyms are looked at as any
other column that leaves: used in two releases, they link them. So may what people buy: a profile.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import equivalence_class_codes, positions_in
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.formats.layout import HistoryLayout
from tokumei.ledger.contribution import Contribution

PSEUDONYM, CUSTOMER = "pseudonym", "customer"
DATED_COLUMNS = ("day", "time")
"""What a person does not do again."""


def build_ledger_contribution(release: HistoryRelease, source: object, ids: object) -> Contribution:
    """From a release made here, which knows its customers."""
    truth = release.truth()
    known = truth.height if source is None else len(History.of(source).customers)
    return history_contribution(release.public, truth, known=known)


def read_contribution(release: str, secret: str, layout: HistoryLayout) -> Contribution:
    """From a public file and the file of who is who."""
    truth = layout.read_pairs(secret)
    truth.require_regular(secret)
    pairs = truth.frame.rename(dict(zip(truth.frame.columns, (PSEUDONYM, CUSTOMER), strict=True)))
    return history_contribution(layout.read_public(release), pairs, known=pairs.height)


def history_contribution(public: pl.DataFrame, truth: pl.DataFrame, *, known: int) -> Contribution:
    """From public rows as text and the customer behind each pseudonym; `known`: all customers."""
    place = positions_in(public["customer"].cast(pl.String), truth[PSEUDONYM].cast(pl.String))
    if (place < 0).any() or len(np.unique(place)) < truth.height:
        raise InputError(
            "the secret file does not fit the release: it must name the customer of every "
            "pseudonym, and of no other"
        )
    if truth[CUSTOMER].n_unique() < truth.height or truth[CUSTOMER].null_count():
        raise InputError("the secret file names a customer twice, or leaves one out")
    shown = [name for name in public.columns if name != "customer"]
    text = public.select(pl.col(shown).cast(pl.String).fill_null(""))
    rows = pl.DataFrame({"place": place, "row": equivalence_class_codes(text, shown)})
    lists = rows.sort("place", "row").group_by("place", maintain_order=True).agg("row")
    joined_rows = lists["row"].list.eval(pl.element().cast(pl.String)).list.join(",").alias("alike")
    _, first = np.unique(place, return_index=True)
    classes = equivalence_class_codes(joined_rows.to_frame(), ["alike"])
    return Contribution(
        kind="histories",
        ids=truth[CUSTOMER].cast(pl.String),
        classes=classes,
        rows=first,
        released_rows=public.height,
        known=known,
        columns={name: "purchase" for name in public.columns},
        cells={PSEUDONYM: truth[PSEUDONYM].cast(pl.String)},
        profile=_count_values_by_class(text, place, classes),
    )


def _count_values_by_class(
    text: pl.DataFrame, place: np.ndarray, classes: np.ndarray
) -> pl.DataFrame:
    """How often people of each class have a value: every member of a set, every other cell."""
    _, class_members = np.unique(classes, return_index=True)
    rows = text.with_columns(person=pl.Series(place)).filter(
        pl.Series(np.isin(place, class_members))
    )
    value_counts = [
        rows.select(
            pl.lit(number).cast(pl.Int32).alias("column"),
            pl.Series("class", classes[rows["person"].to_numpy()].astype(np.int32)),
            pl.col(name).str.strip_chars("{}").str.split(";").alias("value"),
        )
        .explode("value")
        .group_by("column", "class", "value")
        .agg(pl.len().cast(pl.Int32).alias("rows"))
        for number, name in enumerate(name for name in text.columns if name not in DATED_COLUMNS)
    ]
    return pl.concat(value_counts)
