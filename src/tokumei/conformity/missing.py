"""Missing cells, column by column: few of them single people out as a rare value does (item 4)."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.conformity.finding import Finding, Verdict
from tokumei.core.conformity import ConformityCase, MissingCells
from tokumei.core.text import Text


def missing_findings(case: ConformityCase, missing: Sequence[MissingCells]) -> list[Finding]:
    """A finding for every column that has missing cells on either side."""
    return [_finding(one, case.limits.k) for one in missing]


def _finding(one: MissingCells, k: int) -> Finding:
    said = Text(
        f"{one.before:,} in the original, {one.after:,} in the release",
        f"元データ {one.before:,}、匿名加工データ {one.after:,}",
    )
    if one.gained is not None and one.lost is not None:
        said = Text(
            f"{said.en}; {one.gained:,} newly missing, {one.lost:,} no longer",
            f"{said.ja} (新たに欠損 {one.gained:,}、欠損でなくなった {one.lost:,})",
        )
    few = 0 < one.after < k
    if few:
        said = Text(
            f"{said.en}; fewer than {k} rows lack it, which may tell who they are",
            f"{said.ja}。欠損が {k} 行に満たず、誰の行かの手がかりになりえます",
        )
    return Finding(
        f"missing-cells:{one.column}",
        4,
        Verdict.HUMAN if few else Verdict.PASS,
        Text(f"Missing cells of {one.column}", f"{one.column} の欠損セル"),
        said,
        figures={
            name: value
            for name, value in vars(one).items()
            if name != "column" and value is not None
        },
    )
