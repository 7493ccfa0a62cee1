"""Remedies, each applied to this very release and measured.

A remedy that changes cells is measured on the changed cells, never estimated. `apply_remedy` makes
the changed release again, so that anybody can measure it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.information_kept import headline
from tokumei.assessment.merge_classes import merge_classes
from tokumei.assessment.opened_release import PERTURBING_METHODS, OpenedRelease
from tokumei.assessment.perturb_cells import microaggregate, swap_inside_classes
from tokumei.assessment.propose_remedies import (
    Proposal,
    explain_no_remedy,
    propose_remedies,
)
from tokumei.assessment.recode_cells import coarsen, round_numbers, top_code
from tokumei.assessment.remedy import Remedy
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
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
    proposals = list(propose_remedies(opened, scenario, judgement))
    measured = [
        remedy
        for proposal in track_progress(proposals, Message("remedies"))
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
        methods = [action] if action in PERTURBING_METHODS else []
        return (opened.with_cells(cells, methods), scenario) if cells else None
    rows = np.flatnonzero(~_standing_out(opened, scenario, int(str(parameters["k"]))))
    return (opened.with_rows(rows), scenario) if len(rows) else None


def _changed_cells(
    opened: OpenedRelease, scenario: Scenario, action: str, parameters: dict[str, object]
) -> dict[str, pl.Series | None] | None:
    """The columns that a remedy changes; None: it leaves out rows."""
    columns = _names(parameters, "columns")
    if action == "drop":
        return dict.fromkeys(columns)
    if action in ("coarsen", "top-code", "round"):
        return _recoded_cells(opened, action, columns, parameters)
    if action == "leave-out":
        return None
    if action == "swap":
        return swap_inside_classes(opened, columns, _names(parameters, "alike"))
    k = int(str(parameters["k"]))
    if action == "microaggregate":
        return microaggregate(opened, columns, k)
    if action == "suppress":
        marked = pl.Series(_standing_out(opened, scenario, k))
        return {name: _suppress(opened.released.frame[name], marked) for name in columns}
    chosen = {name: opened.columns[name] for name in columns}
    sensitive = [opened.columns[name].cell_code for name in _names(parameters, "sensitive")]
    diverse = int(str(parameters.get("diverse", 1)))
    people = opened.released_people
    return {**merge_classes(chosen, people, k, sensitive=sensitive, diverse=diverse)}


def _names(parameters: dict[str, object], key: str) -> list[str]:
    named = parameters.get(key, ())
    return [str(name) for name in named] if isinstance(named, list | tuple) else []


def _recoded_cells(
    opened: OpenedRelease, action: str, columns: list[str], parameters: dict[str, object]
) -> dict[str, pl.Series | None]:
    """The columns recoded one by one; none if one of them cannot be made coarser."""
    changed = dict[str, pl.Series | None]()
    for name in columns:
        codes = opened.columns[name]
        if action == "top-code":
            cells = top_code(codes)
        elif action == "round":
            cells = round_numbers(codes, float(str(parameters["step"])))
        else:
            cells = coarsen(codes, int(str(parameters["groups"])))
        if cells is None or cells.n_unique() >= len(codes.cells):
            return {}
        changed[name] = cells
    return changed


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
        kept=headline(measure_kept(changed), scenario.keep),
        certain_values=_most_certain(found),
    )


def _most_certain(attackers: Sequence[AttackerFigures]) -> dict[str, float]:
    """By sensitive column the people of whom some attacker knows the value for certain."""
    certain = dict[str, float]()
    for attacker in attackers:
        for name, count in attacker.certain_values.items():
            certain[name] = max(certain.get(name, 0.0), count)
    return certain
