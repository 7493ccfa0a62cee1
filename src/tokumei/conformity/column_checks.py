"""What a look at the columns of a release tells: births in any writing, identifiers nobody named,
texts, postal codes with few people, and rows that are alone over all public columns together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.conformity.finding import Evidence, Finding, Verdict, worst_verdict
from tokumei.core.conformity_case import ConformityCase
from tokumei.core.messages import Message, join_messages
from tokumei.tables.data.full_row_uniqueness import FullRowUniqueness
from tokumei.tables.profiling.column_types import COLUMN_TYPES
from tokumei.tables.profiling.distinct_cells import normalize_text

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import ColumnProfile, TableProfile

GENERALIZED_CELL = r"^\s*[\[({].*[\])}]\s*$|^\*$"
WRITTEN_DATE = r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
BIRTH_HEADER = r"(?i)birth|\bdob\b|born|生年月日|誕生|生まれ"
POSTAL_HEADER = r"(?i)post ?code|postal ?code|\bzip\b|郵便番号|〒"
BIRTH_YEAR_SPAN = 15
"""Purchases span few years, births many."""
CERTAIN_IDENTIFIER_TYPES = frozenset(
    [
        "name",
        "kana",
        "email",
        "phone",
        "address",
        "my_number",
        "insurance_no",
        "passport",
        "ssn",
        "card",
        "bank_account",
    ]
)
MIN_CONFIDENCE = 0.7


def check_profiled_columns(case: ConformityCase) -> list[Finding]:
    """All of them, from one look at the released columns."""
    from tokumei.tables.profiling.first_rows import profile_sample

    profile = profile_sample(case.release)
    return [
        check_birth_dates(case, profile),
        check_identifying_columns(case, profile),
        check_free_text(case, profile),
        check_postal_codes(case, profile),
        check_all_columns(case),
    ]


def check_birth_dates(case: ConformityCase, profile: TableProfile) -> Finding:
    """No column of full birth dates, however they are written (a year or decade is none)."""
    names = [name for name in case.release.columns if name != case.roles.day]
    hits = [hit for name in names if (hit := _birth_date_evidence(case, profile[name]))]
    summary = Message("no column of full birth dates among {columns}", columns=len(names))
    if hits:
        columns = join_messages(evidence.column or "" for _, evidence in hits)
        summary = Message("full dates in: {columns}", columns=columns)
    verdict = worst_verdict([verdict for verdict, _ in hits]) if names else Verdict.NOTHING
    title = Message("Full birth dates")
    return Finding(
        "birth-dates", 1, verdict, title, summary, tuple(observation for _, observation in hits)
    )


def _birth_date_evidence(
    case: ConformityCase, column: ColumnProfile
) -> tuple[Verdict, Evidence] | None:
    cells = normalize_text(case.release[column.name].cast(pl.String))
    exact_values = cells.filter(~cells.str.contains(GENERALIZED_CELL)).drop_nulls().unique()
    announced = column.type == "birth_date" or re.search(BIRTH_HEADER, column.name) is not None
    announced |= bool(exact_values.str.contains(r"(?i)born|birth|生年月日|生まれ").any())
    if not announced and column.kind != "date":
        exact_values = exact_values.filter(
            exact_values.str.contains(WRITTEN_DATE)
        )  # numbers alone may be anything
    days = {
        cell: day
        for cell in exact_values
        if (day := column.style.day(_extract_date(cell))) is not None
    }
    full_dates = [text for text, day in days.items() if (day.month, day.day) != (1, 1)]
    if not full_dates or (
        not announced and not _spans_lifetimes([days[text].year for text in full_dates])
    ):
        return None
    if _name_only_months(full_dates):
        return None
    message = Message("full dates, like dates of birth")
    matches = cells.is_in(pl.Series(full_dates).implode()).fill_null(False).to_numpy()
    verdict = Verdict.FAIL if announced else Verdict.HUMAN
    return verdict, Evidence.at(message, column.name, case.file_lines_of(matches).tolist())


def _extract_date(text: str) -> str:
    """The date of a cell that says more, such as `born 1980-02-03`."""
    match = re.search(WRITTEN_DATE, text)
    return match[0] if match else text


def _name_only_months(texts: list[str]) -> bool:
    """Whether no cell names a day: 1980-02, 198002, 昭和55年2月."""
    return all(re.fullmatch(r"\D*\d{1,4}\D{0,2}\d{1,2}\D?|\d{6}", text) for text in texts)


def _spans_lifetimes(years: list[int]) -> bool:
    return float(np.ptp(np.percentile(years, [5, 95]))) > BIRTH_YEAR_SPAN


def check_identifying_columns(case: ConformityCase, profile: TableProfile) -> Finding:
    """No column looks like what identifies a person by itself, whether anybody named it or not."""
    role_columns = {case.roles.pseudonym, case.roles.item, case.roles.invoice, case.roles.day}
    profiled = [column for column in profile.columns if column.name not in role_columns]
    identifying = [
        column for column in profiled if column.identifies and column.confidence >= MIN_CONFIDENCE
    ]
    share = max((column.unique_share for column in identifying), default=0.0)
    summary = Message("none of {columns} columns looks like an identifier", columns=len(profiled))
    if identifying:
        summary = Message(
            "look like identifiers: {columns}; up to {share:percent} of the values are unique",
            columns=join_messages(column.name for column in identifying),
            share=share,
        )
    verdicts = [
        Verdict.FAIL if column.type in CERTAIN_IDENTIFIER_TYPES else Verdict.HUMAN
        for column in identifying
    ]
    evidence = tuple(
        Evidence(COLUMN_TYPES[column.type].title, column.name, column.distinct)
        for column in identifying
    )
    title = Message("Columns that identify people")
    verdict = worst_verdict(verdicts) if profiled else Verdict.NOTHING
    figures = {"unique_share": round(share, 4)} if identifying else {}
    return Finding("identifying-columns", 1, verdict, title, summary, evidence, figures)


def check_free_text(case: ConformityCase, profile: TableProfile) -> Finding:
    """Texts hold no personal data that can be found; names in them cannot be ruled out."""
    title = Message("Free text")
    text_columns = [
        column for column in profile.columns if column.pii or column.type == "free_text"
    ]
    text_columns = [column for column in text_columns if column.name not in case.roles.qi]
    if not text_columns:
        missing_message = Message("there is no free text")
        return Finding("free-text", 1, Verdict.NOTHING, title, missing_message)
    evidence = [
        Evidence(COLUMN_TYPES[embedded.type].title, column.name, embedded.cells)
        for column in text_columns
        for embedded in column.pii
    ]
    columns = join_messages(column.name for column in text_columns)
    summary = Message("{columns}: names of people in the text cannot be ruled out", columns=columns)
    if evidence:
        summary = Message("personal data inside: {columns}", columns=columns)
    verdict = Verdict.FAIL if evidence else Verdict.HUMAN
    return Finding("free-text", 1, verdict, title, summary, tuple(evidence))


def check_postal_codes(case: ConformityCase, profile: TableProfile) -> Finding:
    """Nobody is nearly alone at a postal code."""
    title = Message("Postal codes with few people")
    columns = [
        column.name
        for column in profile.columns
        if column.type == "postal" or re.search(POSTAL_HEADER, column.name) is not None
    ]
    if not columns:
        missing_message = Message("there is no column of postal codes")
        return Finding("postal-codes", 4, Verdict.NOTHING, title, missing_message)
    min_people = max(case.limits.k, case.limits.few_people)
    evidence = []
    for name in columns:
        is_rare = _has_few_people(case, name, min_people)
        if is_rare.any():
            message = Message("codes with fewer than {least} people", least=min_people)
            evidence.append(Evidence.at(message, name, case.file_lines_of(is_rare).tolist()))
    summary = Message("every code is shared by at least {least} people", least=min_people)
    if evidence:
        summary = Message("some codes have very few people")
    verdict = Verdict.FAIL if evidence else Verdict.PASS
    return Finding("postal-codes", 4, verdict, title, summary, tuple(evidence))


def _has_few_people(case: ConformityCase, name: str, least: int) -> np.ndarray:
    cells = case.release[name].cast(pl.String)
    person_ids = np.arange(len(cells)) if case.person is None else case.person
    rows = pl.DataFrame({"code": cells, "who": person_ids})
    is_rare = (pl.col("who").n_unique().over("code") < least) & ~pl.col("code").str.contains(
        GENERALIZED_CELL
    )
    return rows.select(is_rare.fill_null(False)).to_series().to_numpy()


def check_all_columns(case: ConformityCase) -> Finding:
    """How many rows are alone for whoever knows every public column, named or not."""
    title = Message("All public columns together")
    if case.roles.pseudonym is not None:
        missing_message = Message("pseudonyms tell the rows apart")
        return Finding("all-columns", 5, Verdict.NOTHING, title, missing_message)
    uniqueness = FullRowUniqueness.of(case.release)
    share = uniqueness.alone / max(uniqueness.rows, 1)
    summary = Message(
        "{alone:,} of {rows:,} rows are unique across all released columns; the size of the "
        "smallest class is {smallest:,}",
        alone=uniqueness.alone,
        rows=uniqueness.rows,
        smallest=uniqueness.smallest,
    )
    verdict = Verdict.HUMAN if uniqueness.smallest < case.limits.k else Verdict.PASS
    figures = {"smallest": uniqueness.smallest, "alone": uniqueness.alone, "share": round(share, 4)}
    return Finding("all-columns", 5, verdict, title, summary, (), figures)
