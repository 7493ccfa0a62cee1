"""A scan of every column for descriptions and codes that identify a person (items 1 and 2).

Declared identifiers must be gone.
"""

from __future__ import annotations

import re

import polars as pl
from scipy.stats import binom

from tokumei.conformity.finding import Evidence, Finding, Verdict, worst
from tokumei.conformity.patterns import PATTERNS, Pattern
from tokumei.core.conformity import ConformityCase
from tokumei.core.text import Text

SURPRISE = 1e-3
"""A column of random numbers holds valid ones by chance; more than that is none."""
ENOUGH = 30
SHORTEST = 4
"""Shorter values (such as 'f' or 30) occur by chance everywhere."""


Hit = tuple[Verdict, Evidence]
"""What follows of a column that holds cells of a pattern."""


def scan(case: ConformityCase) -> list[Finding]:
    """One finding per pattern, over all columns of the release."""
    texts = {name: _plain(case.release[name]) for name in case.release.columns}
    return [_finding(pattern, case, texts) for pattern in PATTERNS]


def _plain(cells: pl.Series) -> pl.Series:
    """Full-width letters and digits as usual ones, and every kind of hyphen as one."""
    return cells.cast(pl.String).str.normalize("NFKC").str.replace_all(r"\p{Pd}|−|(\d)ー", "$1-")


def _finding(pattern: Pattern, case: ConformityCase, texts: dict[str, pl.Series]) -> Finding:
    hits = [hit for name, cells in texts.items() if (hit := _look(pattern, case, name, cells))]
    verdict, evidence = worst([verdict for verdict, _ in hits]), tuple(found for _, found in hits)
    columns = ", ".join(found.column or "" for found in evidence)
    summary = Text(f"none found in {len(texts)} columns", f"{len(texts)} 列に見つかりません")
    if hits:
        summary = Text(f"found in: {columns}", f"見つかった列: {columns}")
    return Finding(pattern.id, pattern.item, verdict, pattern.title, summary, evidence)


def _look(pattern: Pattern, case: ConformityCase, name: str, cells: pl.Series) -> Hit | None:
    announced = pattern.header is not None and re.search(pattern.header, name) is not None
    values = cells.drop_nulls().unique()
    formed = values.filter(values.str.contains(pattern.regex))
    valid = _confirmed(pattern, formed)
    if len(valid) and not _by_chance(
        pattern, len(formed), len(valid), name == case.roles.pseudonym
    ):
        lines = case.lines_of(cells.is_in(valid.implode()).fill_null(False).to_numpy())
        verdict = Verdict.FAIL if announced else pattern.verdict
        return verdict, Evidence.at(pattern.title, name, lines.tolist())
    if announced and len(values):
        what = Text("the column's name announces them", "列名から該当すると考えられます")
        return Verdict.HUMAN, Evidence(what, name, len(values))
    return None


def _confirmed(pattern: Pattern, formed: pl.Series) -> pl.Series:
    if pattern.confirm is None:
        return formed
    confirm = pattern.confirm
    digits = formed.str.extract(pattern.regex, 1).str.replace_all("[ -]", "")
    return formed.filter(pl.Series([confirm(number) for number in digits], dtype=pl.Boolean))


def _by_chance(pattern: Pattern, formed: int, valid: int, random_codes: bool) -> bool:
    """Whether so many valid numbers are expected in a column of any numbers of that form."""
    if not pattern.chance or (formed < ENOUGH and not random_codes):
        return False
    return bool(binom.sf(valid - 1, formed, pattern.chance) > SURPRISE)


def declared_identifiers(case: ConformityCase) -> Finding:
    """No declared identifier is a column of the release, and none of its values a cell."""
    evidence = []
    for name in case.roles.identifiers:
        if name in case.release.columns:
            what = Text("the identifier is still a column", "識別子の列が残っています")
            evidence.append(Evidence(what, name, case.release.height))
        evidence += _values_left(case, name)
    names = len(case.roles.identifiers)
    summary = Text(
        f"{names} declared, none left", f"指定された {names} 列は、いずれも残っていません"
    )
    if evidence:
        summary = Text("identifiers are left", "識別子が残っています")
    elif not names:
        summary = Text(
            "besides the person's own id none was declared",
            "本人の ID 以外の識別子は指定されていません",
        )
    title = Text("Declared identifiers are gone", "指定された識別子の削除")
    verdict = Verdict.FAIL if evidence else Verdict.PASS if names else Verdict.NOTHING
    return Finding("declared-identifiers", 1, verdict, title, summary, tuple(evidence))


def _values_left(case: ConformityCase, name: str) -> list[Evidence]:
    for frame in (case.original, case.customers):
        if frame is None or name not in frame.columns:
            continue
        values = frame[name].cast(pl.String).drop_nulls().unique()
        values = values.filter(values.str.len_chars() >= SHORTEST)
        return [
            Evidence.at(
                Text(f"values of '{name}' in other cells", f"'{name}' の値がほかの列にあります"),
                column,
                case.lines_of(left.to_numpy()).tolist(),
            )
            for column in case.release.columns
            if column != name
            and (
                left := case.release[column]
                .cast(pl.String)
                .is_in(values.implode())
                .fill_null(False)
            ).any()
        ]
    return []
