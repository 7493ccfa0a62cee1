"""Proposes changes of a release that does not fit, the least ones first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.uniqueness import count_unique
from tokumei.assessment.verdict import UNIT_WORDS
from tokumei.assessment.wording import name_columns
from tokumei.core.messages import Message
from tokumei.core.scenario import ColumnKnowledge, Scenario

if TYPE_CHECKING:
    from tokumei.assessment.assess import Judgement

COARSE_GROUPS = (10, 4)
FEW_ROWS = 20_000
"""In larger releases fewer remedies are tried."""
MAX_COLUMNS = 6
NARROWER = {"public": "partner", "partner": "inside"}


@dataclass(frozen=True)
class Proposal:
    """A remedy that is to be measured."""

    action: str
    parameters: dict[str, object]
    what: Message


def needed_size(scenario: Scenario) -> int:
    """How many people must share what is known of one, so that all limits are kept."""
    limits = scenario.limits
    by_guess = math.ceil(1 / limits.guessed_right - 1e-9) if limits.guessed_right > 0 else 0
    return max(limits.smallest_class, by_guess, 2)


def propose_remedies(
    opened: OpenedRelease, scenario: Scenario, judgement: Judgement
) -> Iterator[Proposal]:
    """Changes of single columns, of several, of classes, of rows; at last other recipients."""
    names = _telling_order(opened, judgement.knows)
    exact = [name for name in names if not opened.columns[name].is_moved]
    is_large = opened.released.rows > FEW_ROWS
    yield from _coarser(exact[: 1 if is_large else MAX_COLUMNS], is_large)
    yield from _fewer(names, is_large)
    k, unit = needed_size(scenario), UNIT_WORDS[opened.unit]
    words = name_columns(exact)
    if exact:
        what = Message(
            "merge classes of {columns} until at least {k} {unit} share them",
            columns=words,
            k=k,
            unit=unit,
        )
        yield Proposal("merge", {"columns": exact, "k": k}, what)
    if exact and not is_large:
        what = Message(
            "suppress {columns} where fewer than {k} {unit} share them",
            columns=words,
            k=k,
            unit=unit,
        )
        yield Proposal("suppress", {"columns": exact, "k": k}, what)
    if not is_large:
        what = Message(
            "leave out everybody with whom fewer than {k} {unit} share what is known",
            k=k,
            unit=unit,
        )
        yield Proposal("leave-out", {"k": k}, what)
    yield from _narrower(scenario)


def _narrower(scenario: Scenario) -> Iterator[Proposal]:
    recipient: str = scenario.recipient
    while recipient in NARROWER:
        recipient = NARROWER[recipient]
        what = (
            Message("give it to a partner under contract only")
            if recipient == "partner"
            else Message("use it inside only")
        )
        yield Proposal("scenario", {"recipient": recipient}, what)


def _coarser(names: Sequence[str], is_large: bool) -> Iterator[Proposal]:
    for name in names:
        for groups in COARSE_GROUPS[1:] if is_large else COARSE_GROUPS:
            what = Message("publish {column} in about {groups} groups", column=name, groups=groups)
            yield Proposal("coarsen", {"columns": [name], "groups": groups}, what)
        if not is_large:
            what = Message("publish the highest 5 % of {column} as one range", column=name)
            yield Proposal("top-code", {"columns": [name]}, what)
    if len(names) > 1:
        what = Message(
            "publish each of {columns} in about {groups} groups",
            columns=name_columns(names),
            groups=COARSE_GROUPS[-1],
        )
        yield Proposal("coarsen", {"columns": list(names), "groups": COARSE_GROUPS[-1]}, what)


def _fewer(names: Sequence[str], is_large: bool) -> Iterator[Proposal]:
    """Without one column; without the two, three, … that tell most."""
    for name in names[: 1 if is_large else MAX_COLUMNS]:
        yield Proposal("drop", {"columns": [name]}, Message("drop {column}", column=name))
    most = min(len(names), 4 if is_large else len(names))
    for count in range(2, most):
        columns = list(names[:count])
        what = Message("drop {columns}", columns=name_columns(columns))
        yield Proposal("drop", {"columns": columns}, what)


def _telling_order(opened: OpenedRelease, knows: Sequence[ColumnKnowledge]) -> list[str]:
    """The known columns, those first that make most people unique together with what remains."""
    remaining = [item.column for item in knows if not opened.columns[item.column].is_constant]
    cells = {name: opened.columns[name].cell_code for name in remaining}
    people, ordered = opened.released_people, list[str]()
    while len(remaining) > 1:
        counts = {
            name: (
                count_unique(cells, [other for other in remaining if other != name], people),
                -len(opened.columns[name].cells),
            )
            for name in remaining
        }
        best = min(remaining, key=lambda name: counts[name])
        ordered.append(best)
        remaining.remove(best)
    return [*ordered, *remaining]


def explain_no_remedy(opened: OpenedRelease, scenario: Scenario) -> Message:
    """Why no change that was tried makes a release fit."""
    people, k = int(opened.released_people.max(initial=-1)) + 1, needed_size(scenario)
    unit = UNIT_WORDS[opened.unit]
    if people < k:
        return Message(
            "no change of the cells can help: the release has {people} {unit}, and at least {k} "
            "must look alike",
            people=people,
            unit=unit,
            k=k,
        )
    return Message("none of the changes that were tried keeps the limits")
