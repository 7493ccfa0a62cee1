"""Scans every column for descriptions and codes that identify a person (items 1 and 2).

Declared identifiers must be gone.
"""

from __future__ import annotations

import re

import polars as pl
from scipy.stats import binom

from tokumei.conformity.finding import Evidence, Finding, Verdict, worst_verdict
from tokumei.conformity.identifier_patterns import IDENTIFIER_PATTERNS, IdentifierPattern
from tokumei.core.conformity_case import ConformityCase
from tokumei.core.messages import Message, join_messages

MIN_P_VALUE = 1e-3
"""A column of random numbers holds valid ones by chance; more than that is none."""
MIN_FORMED_VALUES = 30
MIN_VALUE_LENGTH = 4
"""Shorter values (such as 'f' or 30) occur by chance everywhere."""


PatternHit = tuple[Verdict, Evidence]
"""The verdict on a column with cells of a pattern, and the evidence."""


def scan_identifiers(case: ConformityCase) -> list[Finding]:
    """One finding per pattern, over all columns of the release."""
    texts = {name: _normalize_cells(case.release[name]) for name in case.release.columns}
    return [_pattern_finding(pattern, case, texts) for pattern in IDENTIFIER_PATTERNS]


def _normalize_cells(cells: pl.Series) -> pl.Series:
    """Full-width letters and digits as usual ones, and every kind of hyphen as one."""
    return cells.cast(pl.String).str.normalize("NFKC").str.replace_all(r"\p{Pd}|−|(\d)ー", "$1-")


def _pattern_finding(
    pattern: IdentifierPattern, case: ConformityCase, texts: dict[str, pl.Series]
) -> Finding:
    hits = [
        hit for name, cells in texts.items() if (hit := _match_column(pattern, case, name, cells))
    ]
    verdict, evidence = (
        worst_verdict([verdict for verdict, _ in hits]),
        tuple(observation for _, observation in hits),
    )
    columns = join_messages(observation.column or "" for observation in evidence)
    summary = Message(
        "none found in {count} column", plural="none found in {count} columns", count=len(texts)
    )
    if hits:
        summary = Message("found in: {columns}", columns=columns)
    return Finding(pattern.id, pattern.item, verdict, pattern.title, summary, evidence)


def _match_column(
    pattern: IdentifierPattern, case: ConformityCase, name: str, cells: pl.Series
) -> PatternHit | None:
    announced = pattern.header is not None and re.search(pattern.header, name) is not None
    values = cells.drop_nulls().unique()
    matching = values.filter(values.str.contains(pattern.regex))
    confirmed = _confirm_digits(pattern, matching)
    if len(confirmed) and not _is_expected_by_chance(
        pattern, len(matching), len(confirmed), name == case.roles.pseudonym
    ):
        lines = case.file_lines_of(cells.is_in(confirmed.implode()).fill_null(False).to_numpy())
        verdict = Verdict.FAIL if announced else pattern.verdict
        return verdict, Evidence.at(pattern.title, name, lines.tolist())
    if announced and len(values):
        message = Message("the name of the column suggests them")
        return Verdict.HUMAN, Evidence(message, name, len(values))
    return None


def _confirm_digits(pattern: IdentifierPattern, matching: pl.Series) -> pl.Series:
    if pattern.confirm is None:
        return matching
    confirm = pattern.confirm
    digits = matching.str.extract(pattern.regex, 1).str.replace_all("[ -]", "")
    return matching.filter(pl.Series([confirm(number) for number in digits], dtype=pl.Boolean))


def _is_expected_by_chance(
    pattern: IdentifierPattern, formed: int, valid: int, random_codes: bool
) -> bool:
    """Whether so many valid numbers are expected in a column of any numbers of that form."""
    if not pattern.chance or (formed < MIN_FORMED_VALUES and not random_codes):
        return False
    return bool(binom.sf(valid - 1, formed, pattern.chance) > MIN_P_VALUE)


def check_declared_identifiers(case: ConformityCase) -> Finding:
    """No declared identifier is a column of the release, and none of its values a cell."""
    evidence = []
    for name in case.roles.identifiers:
        if name in case.release.columns:
            message = Message("the identifier is still a column")
            evidence.append(Evidence(message, name, case.release.height))
        evidence += _remaining_values_evidence(case, name)
    declared_count = len(case.roles.identifiers)
    summary = Message("declared: {count}; none is left", count=declared_count)
    if evidence:
        summary = Message("identifiers are left")
    elif not declared_count:
        summary = Message("no identifier was declared besides the person's id")
    title = Message("Declared identifiers are gone")
    verdict = Verdict.FAIL if evidence else Verdict.PASS if declared_count else Verdict.NOTHING
    return Finding("declared-identifiers", 1, verdict, title, summary, tuple(evidence))


def _remaining_values_evidence(case: ConformityCase, name: str) -> list[Evidence]:
    for frame in (case.original, case.customers):
        if frame is None or name not in frame.columns:
            continue
        values = frame[name].cast(pl.String).drop_nulls().unique()
        values = values.filter(values.str.len_chars() >= MIN_VALUE_LENGTH)
        return [
            Evidence.at(
                Message("values of '{name}' in other cells", name=name),
                column,
                case.file_lines_of(is_left.to_numpy()).tolist(),
            )
            for column in case.release.columns
            if column != name
            and (
                is_left := case.release[column]
                .cast(pl.String)
                .is_in(values.implode())
                .fill_null(False)
            ).any()
        ]
    return []
