"""What would help a release of purchases that does not fit, each measured on this very release.

Columns are dropped or made coarser, months get pseudonyms of their own, people are left out; a
history is made anew with as many people alike as the scenario asks for; and at last another
recipient. `apply_purchase_remedy` makes each change again, so that anybody can measure it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.assessment.assess import measure_kept
from tokumei.assessment.coarser_purchases import group_items, widen_days
from tokumei.assessment.information_kept import headline
from tokumei.assessment.opened_purchases import OpenedPurchases, known_columns
from tokumei.assessment.propose_remedies import NARROWER, Proposal, needed_size
from tokumei.assessment.remedies import MAX_SHOWN, MAX_SHOWN_UNFIT, narrow
from tokumei.assessment.remedy import Remedy
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario

if TYPE_CHECKING:
    from tokumei.assessment.assess_purchases import PurchaseJudgement

ITEM_PREFIX = 2
LEAVE_OUT_ROUNDS = 4


def measure_remedies(
    opened: OpenedPurchases, scenario: Scenario, judgement: PurchaseJudgement
) -> tuple[list[Remedy], Message | None]:
    """The remedies of a release that does not fit: those that help first; a note if none does."""
    if judgement.verdict.word != "does-not-fit" or judgement.verdict.code == "claim":
        return [], None
    measured = _measure_all(opened, scenario, propose(opened, scenario))
    helpful = [remedy for remedy in measured if remedy.verdict == "fits" and remedy.kept != 0]
    others = [remedy for remedy in measured if remedy.verdict != "fits"]
    changes = [remedy for remedy in helpful if remedy.action != "scenario"]
    note = None if changes else _explain_none(opened, scenario)
    return [*helpful[:MAX_SHOWN], *others[:MAX_SHOWN_UNFIT]], note


def _measure_all(
    opened: OpenedPurchases, scenario: Scenario, proposals: Iterator[Proposal]
) -> list[Remedy]:
    """Every change by the exact attackers; by all of them those that may be shown."""
    tried = list[tuple[Remedy, Proposal]]()
    for proposal in proposals:
        remedy = _measure(opened, scenario, proposal, statistically=False)
        if remedy is not None:
            tried.append((remedy, proposal))
    tried.sort(key=lambda pair: _preference(pair[0]))
    promising = [pair for pair in tried if pair[0].verdict == "fits"]
    others = [pair for pair in tried if pair[0].verdict != "fits"]
    shown = [*promising[:MAX_SHOWN], *others[:MAX_SHOWN_UNFIT]]
    measured = [_measure(opened, scenario, proposal) for _, proposal in shown]
    return sorted((remedy for remedy in measured if remedy is not None), key=_preference)


def _preference(remedy: Remedy) -> tuple[bool, bool, float, float]:
    kept = 0.0 if remedy.kept is None else remedy.kept
    return remedy.verdict != "fits", remedy.action == "scenario", -kept, remedy.share


def propose(opened: OpenedPurchases, scenario: Scenario) -> Iterator[Proposal]:
    """The changes that are tried."""
    k = needed_size(scenario)
    if opened.remake is not None and opened.people >= k:
        yield Proposal("remake", {"k": k}, Message("make {k} histories alike", k=k))
    names = [knowledge.column for knowledge in known_columns(opened, scenario)]
    columns = opened.rows.columns
    plain_items = "item" in columns and not columns["item"].read_otherwise
    coarser = [
        name for name in ("day", "item") if name in columns and (name == "day" or plain_items)
    ]
    if "day" in coarser:
        yield Proposal("coarsen", {"columns": ["day"]}, Message("publish months for days"))
    if "item" in coarser:
        yield Proposal("coarsen", {"columns": ["item"]}, _item_message())
    if len(coarser) > 1:
        what = Message("publish months for days, and groups of items")
        yield Proposal("coarsen", {"columns": coarser}, what)
    for name in names:
        yield Proposal("drop", {"columns": [name]}, Message("drop {column}", column=name))
    if opened.is_split and _shared_months(opened) < opened.owners:
        what = Message("give every customer a new pseudonym each month")
        yield Proposal("lifetime", {"months": 1}, what)
    what = Message("leave out everybody who can be told from fewer than {k} people", k=k)
    yield Proposal("leave-out", {"k": k}, what)
    recipient: str = scenario.recipient
    while recipient in NARROWER:
        recipient = NARROWER[recipient]
        what = (
            Message("give it to a partner under contract only")
            if recipient == "partner"
            else Message("use it inside only")
        )
        yield Proposal("scenario", {"recipient": recipient}, what)


def _item_message() -> Message:
    return Message(
        "publish groups of items: those with the same first {count} characters", count=ITEM_PREFIX
    )


def _shared_months(opened: OpenedPurchases) -> int:
    """How many pseudonyms are used in one month only."""
    pairs = np.unique(np.stack([opened.owner, opened.month[opened.link]]), axis=1)
    return int((np.bincount(pairs[0], minlength=opened.owners) == 1).sum())


def apply_purchase_remedy(
    opened: OpenedPurchases, scenario: Scenario, action: str, parameters: Mapping[str, object]
) -> tuple[OpenedPurchases, Scenario] | None:
    """The release and the scenario after a remedy; None where it cannot be applied."""
    if action == "scenario":
        narrower = narrow(scenario, str(parameters["recipient"]))
        return opened, replace(narrower, purchases=None)
    if action == "remake":
        return _remake(opened, scenario, int(str(parameters["k"])))
    if action == "lifetime":
        months = opened.month[opened.link]
        numbers = opened.owner * (int(months.max()) + 1) + months
        return opened.with_owner(numbers), scenario
    if action == "leave-out":
        return _leave_out(opened, scenario, int(str(parameters["k"])))
    named = parameters["columns"]
    columns = [str(name) for name in named] if isinstance(named, list | tuple) else []
    cells = dict.fromkeys(columns) if action == "drop" else _coarsen(opened, columns)
    return (opened.with_cells(cells), scenario) if cells else None


def _remake(
    opened: OpenedPurchases, scenario: Scenario, k: int
) -> tuple[OpenedPurchases, Scenario] | None:
    assert opened.remake is not None
    try:
        return opened.remake(k), scenario
    except TokumeiError:
        return None


def _coarsen(opened: OpenedPurchases, columns: Sequence[str]) -> dict[str, pl.Series | None]:
    changed = dict[str, pl.Series | None]()
    for name in columns:
        cells = opened.rows.released.frame[name]
        coarser = (
            widen_days(cells)
            if name == "day"
            else group_items(cells, opened.rows.original.frame[name], ITEM_PREFIX)
        )
        if coarser is None or coarser.n_unique() >= cells.n_unique():
            return {}
        changed[name] = coarser
    return changed


def _leave_out(
    opened: OpenedPurchases, scenario: Scenario, k: int
) -> tuple[OpenedPurchases, Scenario] | None:
    """Without the people who are told from fewer than k, until nobody is."""
    from tokumei.assessment.assess_purchases import judge_purchases

    for _ in range(LEAVE_OUT_ROUNDS):
        found = judge_purchases(opened, scenario, statistically=False).attackers
        people = opened.rows.released_people
        marked = np.zeros(len(people), dtype=bool)
        for attacker in found:
            if attacker.row_chances is None:
                return None
            marked |= attacker.row_chances > 1 / k + 1e-12
        if not marked.any():
            break
        kept = np.flatnonzero(~marked)
        if not len(kept):
            return None
        opened = opened.with_rows(kept)
    return opened, scenario


def _measure(
    opened: OpenedPurchases,
    scenario: Scenario,
    proposal: Proposal,
    *,
    statistically: bool = True,
) -> Remedy | None:
    from tokumei.assessment.assess_purchases import judge_purchases

    applied = apply_purchase_remedy(opened, scenario, proposal.action, proposal.parameters)
    if applied is None:
        return None
    changed, new_scenario = applied
    judgement = judge_purchases(changed, new_scenario, statistically=statistically)
    found = judgement.attackers
    if not found:
        return None
    strongest = max(found, key=lambda attacker: attacker.share)
    low, high = strongest.interval(strongest.guessed_right)
    sizes = [a.smallest_class for a in found if a.smallest_class is not None]
    return Remedy(
        action=proposal.action,
        parameters=proposal.parameters,
        what=proposal.what,
        verdict=judgement.verdict.word,
        identified=max(attacker.identified for attacker in found),
        share=strongest.share,
        low=low,
        high=high,
        smallest_class=min(sizes, default=None),
        kept=headline(measure_kept(changed.rows), scenario.keep),
    )


def _explain_none(opened: OpenedPurchases, scenario: Scenario) -> Message:
    k = needed_size(scenario)
    if opened.people < k:
        return Message(
            "no change of the cells can help: the release has {people} people, and at least {k} "
            "must look alike",
            people=opened.people,
            k=k,
        )
    if opened.remake is None:
        return Message(
            "none of the changes that were tried keeps the limits; other methods, and noise, "
            "cannot be measured on these files: make another release, and assess it"
        )
    return Message("none of the changes that were tried keeps the limits")
