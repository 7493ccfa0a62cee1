"""What the release gate has to know of a table: consents, what passes, what is withheld."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from tokumei.core.release_terms import NOT_A_TEXT, ReleaseTerms, WithheldColumns, WithheldValues
from tokumei.files.column_types import is_dictionary_encoded
from tokumei.tables.data.column_report import ColumnReport, ColumnTreatment, ReleaseDecisions
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.data.table import Release, Table

_STAR = "*"


def table_terms(
    schema: Schema,
    account: ColumnReport,
    consent: ReleaseDecisions,
    k: int,
    withheld: WithheldValues,
) -> ReleaseTerms:
    """The terms of a table whose columns were planned."""
    pseudonyms = account.names(ColumnTreatment.PSEUDONYM)
    named = {*consent.passed, *consent.qi, *pseudonyms}
    declared = {column.name for column in schema.columns if column.role in (Role.QI, Role.SA)}
    passing = passing_columns(account, consent)
    return ReleaseTerms(
        named=frozenset(named),
        declared=frozenset(declared - named),
        passing=frozenset(passing),
        withheld=withheld,
        k=k,
    )


def passing_columns(account: ColumnReport, consent: ReleaseDecisions) -> list[str]:
    """The columns that pass as they are although nobody named them."""
    return [n for n in account.names(ColumnTreatment.PASSED) if n not in consent.passed]


def withheld_columns(source: Table, released: Table) -> WithheldColumns:
    """The columns of a table that do not leave."""
    kept = {*released.schema.names}
    return WithheldColumns(
        tuple(source.frame[name] for name in source.frame.columns if name not in kept)
    )


def claimed_k(release: Release) -> int:
    """How many rows or people a release says are alike; 0: it does not say so."""
    return max((int(claim.params.get("k") or 0) for claim in release.claims), default=0)


def is_text_for_few(text: pl.Expr) -> pl.Expr:
    """Whether a cell is a text that may tell who somebody is: no number, day, set or mark."""
    return ~text.str.contains(NOT_A_TEXT)


def with_terms(release: Release, source: Table, consent: ReleaseDecisions) -> Release:
    """The release with its terms; texts that too few people have are `*` where nobody named them.

    Only columns that pass as they are and that nobody named are changed, and the column report
    says how many cells.
    """
    if release.account is None:
        return release
    k = claimed_k(release)
    masked: dict[str, pl.Series] = {}
    counts: dict[str, int] = {}
    passing = passing_columns(release.account, consent) if k else []
    for name in (name for name in passing if name in release.public.schema.names):
        cells = release.public.frame[name]
        if cells.dtype == pl.String or is_dictionary_encoded(cells.dtype):
            new_cells, count = mask_rare_texts(cells, _people(release, source), k)
            if count:
                masked[name], counts[name] = new_cells, count
    if masked:
        release = _with_masked(release, masked, counts)
    assert release.account is not None
    terms = table_terms(
        source.schema, release.account, consent, k, withheld_columns(source, release.public)
    )
    return replace(release, terms=terms)


def _people(release: Release, source: Table) -> pl.Series | None:
    """The person of every released row; None: every row is another person."""
    person = release.account.person if release.account is not None else None
    if person is None or person not in source.frame.columns:
        return None
    return source.frame[person].gather(release.link).cast(pl.String)


def mask_rare_texts(cells: pl.Series, people: pl.Series | None, k: int) -> tuple[pl.Series, int]:
    """The cells, with `*` for texts that fewer than k rows (or people) have; how many became so."""
    texts = cells.cast(pl.String)
    rows = pl.DataFrame(
        {
            "text": texts,
            "person": pl.int_range(len(cells), eager=True) if people is None else people,
        }
    )
    how_many = pl.len() if people is None else pl.col("person").n_unique()
    rare = rows.group_by("text").agg(how_many.alias("people")).filter(
        (pl.col("people") < k) & pl.col("text").is_not_null() & is_text_for_few(pl.col("text"))
    )["text"]  # fmt: skip
    if rare.is_empty():
        return cells, 0
    hidden = texts.is_in(rare.implode()).fill_null(False)
    return texts.set(hidden, _STAR), int(hidden.sum())


def _with_masked(
    release: Release, masked: Mapping[str, pl.Series], counts: Mapping[str, int]
) -> Release:
    account = release.account
    assert account is not None
    frame = release.public.frame.with_columns(cells.alias(name) for name, cells in masked.items())
    spelled = {name: cells for name, cells in release.spelled.items() if name not in masked}
    public = replace(release.public, frame=frame, spelled={})
    return replace(
        release, public=public, spelled=spelled, account=account.with_hidden_cells(counts)
    )
