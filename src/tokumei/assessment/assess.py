"""Assesses a release of a table: the one service behind every verdict.

assessment = assess_table(AssessTable(original="people.csv", release="public.csv", link="link.csv"))
assessment.verdict.word
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.assumptions import assume_of_joint, list_assumptions
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.control_audit import AuditFigures
from tokumei.assessment.information_kept import ColumnKept, headline, measure_column
from tokumei.assessment.joint import JointFigures
from tokumei.assessment.knowledge import (
    attack_by_scenario,
    attack_with_everything,
    known_columns,
    untried_combinations,
)
from tokumei.assessment.link_check import check_link
from tokumei.assessment.open_release import AssessTable, open_release
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.uniqueness import (
    Uniqueness,
    measure_uniqueness,
    name_telling_columns,
)
from tokumei.assessment.unknowns import LINK_CONTRADICTS, find_doubts, find_missing_input
from tokumei.assessment.uses import measure_uses
from tokumei.assessment.verdict import (
    CheckedClaimLine,
    Evidence,
    ReleaseVerdict,
    Unknown,
    judge_release,
)
from tokumei.assessment.worst_off import WorstOffGroup, find_worst_off
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.core.progress import AdvanceProgress, progress_bar
from tokumei.core.scenario import ColumnKnowledge, Scenario
from tokumei.tables.services.comparison_requests import is_path

STEPS = ("read", "claims", "attackers", "bound", "kept", "conformity", "remedies")
"""What progress is told by."""
MOST = 0.9
"""Columns are named alone if they identify so large a part of the people."""


@dataclass(frozen=True)
class Judgement:
    """What decides: the attackers, what cannot be told, and the verdict."""

    knows: list[ColumnKnowledge]
    attackers: list[AttackerFigures]
    unknown: list[Unknown]
    verdict: ReleaseVerdict

    @property
    def is_told(self) -> bool:
        """Whether figures were computed."""
        return bool(self.attackers)


def assess_table(request: AssessTable) -> Assessment:
    """Read both sides and assess the release under the scenario of the request."""
    from tokumei.assessment.control_audit import audit_with_control
    from tokumei.assessment.joint import measure_joint

    scenario = request.decided()
    with progress_bar(Message("assessing the release"), len(STEPS)) as advance:
        opened = open_release(request)
        advance(1)
        joint = audit = None
        if request.ledger is not None:
            path = str(request.release) if is_path(request.release) else None
            joint = measure_joint(opened, request.ledger, release=path, coalition=request.coalition)
        if request.control is not None:
            names = [knowledge.column for knowledge in known_columns(opened, scenario) or ()]
            audit = audit_with_control(opened, names, request.control)
        return assess_opened(
            opened,
            scenario,
            remedies=request.remedies,
            conformity=request.conformity,
            joint=joint,
            audit=audit,
            advance=advance,
        )


def assess_opened(
    opened: OpenedRelease,
    scenario: Scenario,
    *,
    remedies: bool = True,
    conformity: bool = True,
    joint: JointFigures | None = None,
    audit: AuditFigures | None = None,
    attackers: Sequence[AttackerFigures] | None = None,
    advance: AdvanceProgress | None = None,
) -> Assessment:
    """The assessment of a release that is open already; `advance` is told of every step.

    `attackers`: what `judge` found of the same release and scenario before; it takes long.
    """
    from tokumei.assessment.conformity_checks import check_conformity
    from tokumei.assessment.remedies import measure_remedies

    advance = advance or (lambda done: None)
    claims = check_release_claims(opened)
    advance(1)
    judgement = judge(opened, scenario, claims, joint, found=attackers)
    advance(1)
    bound = attack_with_everything(opened, scenario) if judgement.is_told else None
    advance(1)
    columns = measure_kept(_told_rows(opened, judgement))
    advance(1)
    checks = check_conformity(opened, scenario, judgement.attackers) if conformity else None
    advance(1)
    found = measure_remedies(opened, scenario, judgement) if remedies else ([], None)
    advance(1)
    people = len(np.unique(opened.original_people)), _released_total(opened)
    return Assessment(
        verdict=judgement.verdict,
        scenario=scenario,
        knows=tuple(knowledge.text for knowledge in judgement.knows),
        unit=opened.unit,
        total=people[1],
        total_source=people[0],
        rows=opened.released.rows,
        rows_source=opened.original.rows,
        attackers=judgement.attackers,
        bound=bound,
        uniqueness=_uniqueness(opened),
        worst_off=_worst_off(opened, judgement),
        kept=headline(columns, scenario.keep),
        columns=columns,
        claims=claims,
        assumptions=[
            *list_assumptions(opened, scenario, judgement.knows, judgement.attackers),
            *assume_of_joint(joint),
        ],
        remedies=found[0],
        remedy_note=found[1],
        unknown=judgement.unknown,
        joint=joint,
        audit=audit,
        conformity=checks,
        uses=measure_uses(opened, scenario.uses),
        notes=opened.notes,
    )


def judge(
    opened: OpenedRelease,
    scenario: Scenario,
    claims: Sequence[CheckedClaimLine] = (),
    joint: JointFigures | None = None,
    *,
    found: Sequence[AttackerFigures] | None = None,
) -> Judgement:
    """Run the attackers of the scenario and judge; no rate where the link cannot be true.

    `found`: what the attackers found, if they were run before.
    """
    knows = known_columns(opened, scenario)
    check = None if opened.link is None else check_link(opened.columns, opened.link)
    unknown = find_missing_input(opened, check, knows)
    attackers = list[AttackerFigures]()
    if knows is not None and check is not None and not any(m.is_fundamental for m in unknown):
        attackers = attack_by_scenario(opened, scenario, knows) if found is None else [*found]
        unknown += find_doubts(opened, scenario, knows, attackers, check)
        unknown += _untried(scenario, knows)
    evidence = Evidence(
        opened.unit,
        _released_total(opened),
        attackers,
        claims,
        unknown,
        _telling_columns(opened, attackers),
        joint,
    )
    return Judgement(knows or [], attackers, unknown, judge_release(evidence, scenario))


def _telling_columns(
    opened: OpenedRelease, attackers: Sequence[AttackerFigures]
) -> tuple[tuple[str, ...], int] | None:
    """The few known columns that make most of the identified people unique."""
    strongest = next((a for a in attackers if a.code == "exact" and a.identified), None)
    if strongest is None:
        return None
    cells = {name: opened.columns[name].cell_code for name in strongest.knows}
    for columns, count in name_telling_columns(cells, opened.released_people):
        if len(columns) < len(cells) and count >= MOST * strongest.identified:
            return columns, count
    return None


def _untried(scenario: Scenario, knows: Sequence[ColumnKnowledge]) -> list[Unknown]:
    count = untried_combinations(scenario, knows)
    if not count:
        return []
    message = Message("{number:,} combinations of known columns were not tried", number=count)
    return [Unknown("combinations", message, blocks=False)]


def _released_total(opened: OpenedRelease) -> int:
    """Released people; rows where people are not told apart or nobody can be traced."""
    return int(opened.released_people.max(initial=-1)) + 1


def measure_kept(opened: OpenedRelease) -> list[ColumnKept]:
    """Every column of the original: what was done to it and what is kept."""
    rows = opened.original.rows
    return [_measure_kept(opened, name, rows) for name in opened.original.schema.names]


def _told_rows(opened: OpenedRelease, judgement: Judgement) -> OpenedRelease:
    """The release without its link if that is not the right one: it tells no losses either."""
    is_wrong = any(item.code == LINK_CONTRADICTS for item in judgement.unknown)
    return replace(opened, link=None) if is_wrong else opened


def _measure_kept(opened: OpenedRelease, name: str, rows: int) -> ColumnKept:
    if name in opened.identifiers:
        gone = float(name not in opened.released.schema.names)
        return ColumnKept(name, "identifier", None, gone, None, rows)
    if name in opened.columns:
        return measure_column(opened.columns[name], opened.link, rows)
    if name in opened.unlike:
        return ColumnKept(name, "identifier", None, 0.0, None, rows)
    return ColumnKept(name, "dropped", 0.0, 1.0, None, rows)


def _uniqueness(opened: OpenedRelease) -> Uniqueness | None:
    if opened.link is None and opened.counts_people:
        return None
    cells = {name: codes.cell_code for name, codes in opened.columns.items()}
    for name in opened.released.schema.names:
        if name not in cells and name not in opened.unlike:
            words = opened.released.frame[name].cast(pl.String).fill_null("\0")
            cells[name] = np.unique(words.to_numpy(), return_inverse=True)[1]
    return measure_uniqueness(cells, opened.released_people)


def _worst_off(opened: OpenedRelease, judgement: Judgement) -> list[WorstOffGroup]:
    if not judgement.attackers:
        return []
    chances = judgement.attackers[0].row_chances
    if chances is None:
        return []
    columns: dict[str, ColumnCodes] = {
        knowledge.column: opened.columns[knowledge.column] for knowledge in judgement.knows
    }
    return find_worst_off(columns, chances, opened.released_people)


def check_release_claims(opened: OpenedRelease) -> list[CheckedClaimLine]:
    """Every claim, recomputed from the rows as published."""
    from tokumei.tables.verification.claims import check_claims

    lines = list[CheckedClaimLine]()
    for claim in opened.claims:
        try:
            (checked,) = check_claims(opened.released, [claim], opened.written)
            holds: bool | None = not checked.faults
        except TokumeiError:
            holds = None
        lines.append(CheckedClaimLine(claim.rule, holds, dict(claim.params)))
    return lines
