"""The conformity checks of a release, in the figures that an assessment shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.conformity.assessment import conform
from tokumei.conformity.finding import Finding, Verdict
from tokumei.core.conformity_case import AttackFigure, ConformityCase, Limits, Roles
from tokumei.core.scenario import Scenario
from tokumei.tables.conformity import count_missing_cells


@dataclass(frozen=True)
class ConformityFigures:
    """How many checks ended how, and those that failed or that a human must judge."""

    counts: Mapping[str, int]
    failed: Sequence[Finding]
    for_humans: Sequence[Finding]

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "counts": dict(self.counts),
            "failed": [_finding_data(finding) for finding in self.failed],
            "needs_human": [_finding_data(finding) for finding in self.for_humans],
        }


def _finding_data(finding: Finding) -> dict[str, object]:
    return {
        "id": finding.id,
        "item": finding.item,
        **finding.title.as_json("title"),
        **finding.summary.as_json("summary"),
    }


def check_conformity(
    opened: OpenedRelease, scenario: Scenario, attackers: Sequence[AttackerFigures]
) -> ConformityFigures:
    """Run the checks on an open release, with the strongest attacker that was computed already."""
    case = conformity_case(opened, scenario)
    result = conform(
        case,
        attacks=[_attack_figure(attackers[0])] if attackers else [],
        missing=count_missing_cells(case),
    )
    return ConformityFigures(
        result.counts,
        [finding for finding in result.findings if finding.verdict is Verdict.FAIL],
        [finding for finding in result.findings if finding.verdict is Verdict.HUMAN],
    )


def conformity_case(opened: OpenedRelease, scenario: Scenario) -> ConformityCase:
    """The case of an open release: rows as text, roles, and the link."""
    after = _as_text((opened.written or opened.released).frame)
    schema, names = opened.original.schema, {*opened.released.schema.names}
    person = opened.person if opened.counts_people else None
    return ConformityCase(
        after,
        np.arange(after.height) + 2,
        Roles(
            person=person,
            identifiers=tuple(name for name in schema.ids if name != person),
            qi=tuple(name for name in schema.qi if name in names),
        ),
        original=_as_text(opened.original.frame.with_columns(**opened.original.spelled)),
        origin=opened.link,
        public=after,
        limits=Limits(k=scenario.limits.smallest_class, rate=scenario.limits.guessed_right),
    )


def _as_text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.all().cast(pl.String))


def _attack_figure(attacker: AttackerFigures) -> AttackFigure:
    """The attacker's share; its interval only where targets were sampled, as in the verdict."""
    share = attacker.share
    low, high = attacker.interval(attacker.guessed_right) if attacker.is_sampled else (share, share)
    return AttackFigure(attacker.name, attacker.code, share, low, high, attacker.baseline)
