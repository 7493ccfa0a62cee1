"""Assesses a release of purchases: the same document, and the same verdict, as for tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.assessment.assess import measure_kept
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.assumptions import RECIPIENT_WORDS, Assumption, list_assumptions
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.information_kept import headline
from tokumei.assessment.known_purchases import known_purchases
from tokumei.assessment.link_check import check_link
from tokumei.assessment.opened_purchases import CUSTOMER, OpenedPurchases, known_columns
from tokumei.assessment.purchase_attackers import attack_purchases, attack_with_whole_original
from tokumei.assessment.uniqueness import Uniqueness, measure_uniqueness
from tokumei.assessment.unknowns import MAX_STRAY_SHARE
from tokumei.assessment.verdict import (
    Evidence,
    ReleaseVerdict,
    Unknown,
    is_undecided_by_sampling,
    judge_release,
)
from tokumei.assessment.worst_off import LEAST_PEOPLE, MAX_GROUPS, WorstOffGroup
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario

PURCHASES_GROUP = "purchases"
PURCHASE_COUNTS = (1, 10, 30, 100, 300, 1000)
"""Customers are grouped by how many purchases they made."""


@dataclass(frozen=True)
class PurchaseJudgement:
    """The attackers, what cannot be told, and the verdict."""

    attackers: list[AttackerFigures]
    unknown: list[Unknown]
    verdict: ReleaseVerdict


def assess_purchases(
    opened: OpenedPurchases, scenario: Scenario, *, remedies: bool = True
) -> Assessment:
    """The assessment of a release of purchases that is open already."""
    from tokumei.assessment.purchase_remedies import measure_remedies

    judgement = judge_purchases(opened, scenario)
    is_told = bool(judgement.attackers)
    columns = measure_kept(opened.rows if is_told else replace(opened.rows, link=None))
    found = measure_remedies(opened, scenario, judgement) if remedies else ([], None)
    knows = known_columns(opened, scenario)
    return Assessment(
        verdict=judgement.verdict,
        scenario=scenario,
        knows=tuple(knowledge.text for knowledge in knows),
        unit="people",
        total=opened.people,
        total_source=opened.rows.original.frame[CUSTOMER].n_unique(),
        rows=opened.rows.released.rows,
        rows_source=opened.rows.original.rows,
        attackers=judgement.attackers,
        bound=attack_with_whole_original(opened, scenario) if is_told else None,
        uniqueness=_uniqueness(opened) if is_told else None,
        worst_off=find_worst_off_customers(opened, judgement.attackers),
        kept=headline(columns, scenario.keep),
        columns=columns,
        claims=opened.claims,
        assumptions=_assumptions(opened, scenario, judgement.attackers) if is_told else (),
        remedies=found[0],
        remedy_note=found[1],
        unknown=judgement.unknown,
        notes=opened.rows.notes,
    )


def judge_purchases(
    opened: OpenedPurchases, scenario: Scenario, *, statistically: bool = True
) -> PurchaseJudgement:
    """Run the attackers of the scenario and judge; no rate where the link cannot be true."""
    unknown = [*opened.unknown, *_unreadable(opened), *_contradictions(opened)]
    attackers = list[AttackerFigures]()
    if not any(missing.is_fundamental for missing in unknown):
        attackers = attack_purchases(opened, scenario, statistically=statistically)
        unknown += _no_attacker(attackers)
        if any(is_undecided_by_sampling(attacker, scenario) for attacker in attackers):
            message = Message("only a sample of the targets was attacked, too few to tell")
            unknown.append(Unknown("sampled", message))
    evidence = Evidence("people", opened.people, attackers, opened.claims, unknown)
    return PurchaseJudgement(attackers, unknown, judge_release(evidence, scenario))


def _no_attacker(attackers: Sequence[AttackerFigures]) -> list[Unknown]:
    if attackers:
        return []
    message = Message(
        "it is not stated what the recipient may know: name the columns ({knows}) and the "
        "purchases "
        "({purchases})",
        knows=field_name("knows"),
        purchases=field_name("purchases"),
    )
    return [Unknown("no-knowledge", message, is_fundamental=True)]


def _unreadable(opened: OpenedPurchases) -> list[Unknown]:
    return [
        Unknown(
            "unreadable-cells",
            Message(
                "it is not known what {cells:,} cells of {column} stand for",
                cells=codes.unread_rows,
                column=name,
            ),
            (name,),
        )
        for name, codes in opened.rows.columns.items()
        if codes.unread_rows
    ]


def _contradictions(opened: OpenedPurchases) -> list[Unknown]:
    """Whether the link can be true: rows must hold purchases of the customers behind them."""
    if not opened.has_link or not len(opened.owner):
        return []
    check = check_link(opened.rows.columns, opened.link)
    strays = opened.stray_rows > MAX_STRAY_SHARE * len(opened.owner)
    if not (strays or check.is_contradicted):
        return []
    message = Message(
        "the link contradicts the cells: {rows:,} of {total:,} rows hold no purchase of the person "
        "they are linked to; give the right link",
        rows=opened.stray_rows or len(opened.owner),
        total=len(opened.owner),
    )
    columns = tuple(check.contradicted_columns())
    return [Unknown("link-contradicts", message, columns, is_fundamental=True)]


def _uniqueness(opened: OpenedPurchases) -> Uniqueness:
    cells = {name: codes.cell_code for name, codes in opened.rows.columns.items()}
    return measure_uniqueness(cells, opened.rows.released_people)


def _assumptions(
    opened: OpenedPurchases, scenario: Scenario, attackers: Sequence[AttackerFigures]
) -> list[Assumption]:
    """What is taken for granted: of columns as for tables, and of purchases."""
    knows = known_columns(opened, scenario)
    found = list_assumptions(opened.rows, scenario, knows, attackers)
    counts = [known.count for known in known_purchases(scenario) if known.form == "count"]
    if counts and all(known.form == "count" for known in known_purchases(scenario)):
        message = Message(
            "assumes that {recipient} knows at most one purchase of a person",
            plural="assumes that {recipient} knows at most {count} purchases of a person, "
            "whichever they are",
            count=max(counts),
            recipient=RECIPIENT_WORDS[scenario.recipient],
        )
        found.append(Assumption("purchases-at-most", message))
    return found


def find_worst_off_customers(
    opened: OpenedPurchases, attackers: Sequence[AttackerFigures]
) -> list[WorstOffGroup]:
    """The groups of customers who are found most often: by number of purchases, sex …"""
    chances = next((a.row_chances for a in attackers if a.row_chances is not None), None)
    if chances is None or not opened.people:
        return []
    first = np.zeros(opened.people, dtype=np.int64)
    by_person = np.zeros(opened.people)
    first[opened.rows.released_people] = opened.link
    by_person[opened.rows.released_people] = chances
    groups = {PURCHASES_GROUP: _purchase_counts(opened), **opened.groups}
    found = list[WorstOffGroup]()
    for name, cells in groups.items():
        chance = pl.DataFrame({"cell": cells.gather(first), "chance": by_person})
        for cell, people, share in (
            chance.group_by("cell")
            .agg(pl.len(), pl.col("chance").mean().alias("share"))
            .iter_rows()
        ):
            if people >= LEAST_PEOPLE and share > by_person.mean() + 1e-9:
                found.append(WorstOffGroup(name, str(cell), people, share))
    return sorted(found, key=lambda group: (-group.share, group.column, group.cell))[:MAX_GROUPS]


def _purchase_counts(opened: OpenedPurchases) -> pl.Series:
    """By original row how many purchases its customer made, in a few ranges."""
    people = opened.rows.original_people
    counts = np.bincount(people)[people]
    place = np.searchsorted(PURCHASE_COUNTS, counts, "right") - 1
    ends = [str(start - 1) for start in PURCHASE_COUNTS[1:]]
    names = [f"{a}–{b}" for a, b in zip(PURCHASE_COUNTS, [*ends, ""], strict=True)]
    return pl.Series(PURCHASES_GROUP, names).gather(place)
