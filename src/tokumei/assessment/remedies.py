"""Remedies, each applied to this very release and measured.

A remedy that changes cells is measured on the changed cells, never estimated. `apply_remedy` makes
the changed release again, so that anybody can measure it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.assessment.information_kept import headline
from tokumei.assessment.merge_classes import merge_classes
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.propose_remedies import (
    Proposal,
    explain_no_remedy,
    propose_remedies,
)
from tokumei.assessment.recode_cells import coarsen, top_code
from tokumei.assessment.remedy import Remedy
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.core.scenario import DEFAULT_LIMITS, Scenario

if TYPE_CHECKING:
    from tokumei.assessment.assess import Judgement

MAX_SHOWN = 6
MAX_SHOWN_UNFIT = 2


def measure_remedies(
    opened: OpenedRelease, scenario: Scenario, judgement: Judgement
) -> tuple[list[Remedy], Message | None]:
    """The remedies of a release that does not fit: those that help first; a note if none does."""
    if judgement.verdict.word != "does-not-fit" or judgement.verdict.code == "claim":
        return [], None
    if judgement.verdict.code.startswith("joint"):
        return [], _advise_on_joint()
    measured = [
        remedy
        for proposal in propose_remedies(opened, scenario, judgement)
        if (remedy := _measure(opened, scenario, proposal)) is not None
    ]
    measured.sort(key=_preference)
    helpful = [remedy for remedy in measured if remedy.verdict == "fits" and remedy.kept != 0]
    others = [remedy for remedy in measured if remedy.verdict != "fits"]
    shown = [*helpful[:MAX_SHOWN], *others[:MAX_SHOWN_UNFIT]]
    changes = [remedy for remedy in helpful if remedy.action != "scenario"]
    return shown, None if changes else explain_no_remedy(opened, scenario)


def _advise_on_joint() -> Message:
    return Message(
        "this release alone keeps the limits, but not together with the earlier ones: publish the "
        "classes of an earlier release again ({reuse}), or give it to somebody who holds none",
        reuse=field_name("reuse"),
    )


def _preference(remedy: Remedy) -> tuple[bool, bool, float, float]:
    """What helps, changes the release rather than its recipient, and keeps most."""
    kept = 0.0 if remedy.kept is None else remedy.kept
    return remedy.verdict != "fits", remedy.action == "scenario", -kept, remedy.share


def apply_remedy(
    opened: OpenedRelease, scenario: Scenario, action: str, parameters: dict[str, object]
) -> tuple[OpenedRelease, Scenario] | None:
    """The release and the scenario after a remedy; None where it cannot be applied."""
    if action == "scenario":
        return opened, narrow(scenario, str(parameters["recipient"]))
    cells = _changed_cells(opened, scenario, action, parameters)
    if cells is not None:
        return (opened.with_cells(cells), scenario) if cells else None
    rows = np.flatnonzero(~_standing_out(opened, scenario, int(str(parameters["k"]))))
    return (opened.with_rows(rows), scenario) if len(rows) else None


def _changed_cells(
    opened: OpenedRelease, scenario: Scenario, action: str, parameters: dict[str, object]
) -> dict[str, pl.Series | None] | None:
    """The columns that a remedy changes; None: it leaves out rows."""
    named = parameters.get("columns", ())
    columns = [str(name) for name in named] if isinstance(named, list | tuple) else []
    if action == "drop":
        return dict.fromkeys(columns)
    if action in ("coarsen", "top-code"):
        changed = dict[str, pl.Series | None]()
        for name in columns:
            codes = opened.columns[name]
            cells = (
                top_code(codes)
                if action == "top-code"
                else coarsen(codes, int(str(parameters["groups"])), opened.hierarchies.get(name))
            )
            if cells is None or cells.n_unique() >= len(codes.cells):
                return {}
            changed[name] = cells
        return changed
    k = int(str(parameters["k"]))
    if action == "merge":
        chosen = {name: opened.columns[name] for name in columns}
        return {**merge_classes(chosen, opened.released_people, k)}
    if action == "suppress":
        marked = pl.Series(_standing_out(opened, scenario, k))
        return {name: _suppress(opened.released.frame[name], marked) for name in columns}
    return None


def _suppress(cells: pl.Series, marked: pl.Series) -> pl.Series:
    from tokumei.core.generalized_cells import canonicalize_column

    frame = pl.DataFrame({"cell": canonicalize_column(cells), "marked": marked})
    suppressed = pl.when("marked").then(pl.lit(SUPPRESSED_CELL)).otherwise("cell")
    return frame.select(suppressed.alias(cells.name)).to_series()


def _standing_out(opened: OpenedRelease, scenario: Scenario, k: int) -> np.ndarray:
    """By row whether fewer than `k` people share what is known of its person."""
    from tokumei.assessment.assess import judge

    judgement = judge(opened, scenario)
    marked = np.zeros(opened.released.rows, dtype=bool)
    people = opened.released_people
    for attacker in judgement.attackers:
        if attacker.row_chances is not None:
            marked |= attacker.row_chances > 1 / k + 1e-12
    return np.asarray(np.isin(people, people[marked]))


def narrow(scenario: Scenario, recipient: str) -> Scenario:
    """The scenario for another recipient, with that recipient's limits."""
    knows = None if scenario.recipient == "public" else scenario.knows
    return replace(
        scenario,
        recipient=recipient,  # type: ignore[arg-type]
        limits=DEFAULT_LIMITS[recipient],
        knows=knows,
    )


def _measure(opened: OpenedRelease, scenario: Scenario, proposal: Proposal) -> Remedy | None:
    from tokumei.assessment.assess import judge, measure_kept

    applied = apply_remedy(opened, scenario, proposal.action, proposal.parameters)
    if applied is None:
        return None
    changed, new_scenario = applied
    judgement = judge(changed, new_scenario)
    found = judgement.attackers
    if not found:
        return None
    sizes = [a.smallest_class for a in found if a.smallest_class is not None]
    return Remedy(
        action=proposal.action,
        parameters=proposal.parameters,
        what=proposal.what,
        verdict=judgement.verdict.word,
        identified=max(attacker.identified for attacker in found),
        share=max(attacker.share for attacker in found),
        smallest_class=min(sizes, default=None),
        kept=headline(measure_kept(changed), scenario.keep),
    )
