"""A scan of every column for descriptions and codes that identify a person (items 1 and 2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl
from scipy.stats import binom

from tokumei.conformity.finding import Evidence, Finding, Verdict, worst
from tokumei.conformity.patterns import PATTERNS, Pattern
from tokumei.core.conformity import ConformityCase
from tokumei.core.text import Text

SURPRISE = 1e-3
"""A column of random numbers holds valid ones by chance; more than that is none."""
ENOUGH = 30


@dataclass(frozen=True)
class Hit:
    """A column that holds cells of a pattern, and what follows."""

    verdict: Verdict
    evidence: Evidence


def scan(case: ConformityCase) -> list[Finding]:
    """One finding per pattern, over all columns of the release."""
    texts = {name: _plain(case.release[name]) for name in case.release.columns}
    return [_finding(pattern, case, texts) for pattern in PATTERNS]


def _plain(cells: pl.Series) -> pl.Series:
    """Full-width letters and digits as usual ones, and every kind of hyphen as one."""
    return cells.cast(pl.String).str.normalize("NFKC").str.replace_all(r"\p{Pd}|−|(\d)ー", "$1-")


def _finding(pattern: Pattern, case: ConformityCase, texts: dict[str, pl.Series]) -> Finding:
    hits = [hit for name, cells in texts.items() if (hit := _look(pattern, case, name, cells))]
    verdict = worst([hit.verdict for hit in hits])
    columns = ", ".join(hit.evidence.column or "" for hit in hits)
    summary = Text(f"none found in {len(texts)} columns", f"{len(texts)} 列に見つかりません")
    if hits:
        summary = Text(f"found in: {columns}", f"見つかった列: {columns}")
    return Finding(
        pattern.id,
        pattern.item,
        verdict,
        pattern.title,
        summary,
        tuple(hit.evidence for hit in hits),
    )


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
        return Hit(verdict, Evidence.at(pattern.title, name, lines.tolist()))
    if announced and len(values):
        what = Text("the column's name announces them", "列名から該当すると考えられます")
        return Hit(Verdict.HUMAN, Evidence(what, name, len(values)))
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
