"""Proposes changes of a release that does not fit, the least ones first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.perturb_cells import can_be_averaged
from tokumei.assessment.recode_cells import is_ordered, step_for_groups
from tokumei.assessment.uniqueness import count_unique
from tokumei.assessment.verdict import UNIT_WORDS
from tokumei.assessment.wording import name_columns
from tokumei.core.messages import Message
from tokumei.core.scenario import ColumnKnowledge, Scenario

if TYPE_CHECKING:
    from tokumei.assessment.assess import Judgement

COARSE_GROUPS = (10, 4)
ROUNDED_NUMBERS = 20
"""A rounded column keeps about so many different numbers."""
MAX_AVERAGED_ROWS = 5_000
"""Means of similar rows are not searched in larger releases."""
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
    yield from _coarser(opened, exact[: 1 if is_large else MAX_COLUMNS], is_large)
    yield from _fewer(names, is_large)
    if exact:
        yield from _larger_classes(opened, scenario, judgement, exact, is_large)
    if not is_large:
        yield from _perturbed(opened, scenario, exact)
        what = Message(
            "leave out everybody with whom fewer than {k} {unit} share what is known",
            k=needed_size(scenario),
            unit=UNIT_WORDS[opened.unit],
        )
        yield Proposal("leave-out", {"k": needed_size(scenario)}, what)
    yield from _narrower(scenario)


def _larger_classes(
    opened: OpenedRelease,
    scenario: Scenario,
    judgement: Judgement,
    columns: list[str],
    is_large: bool,
) -> Iterator[Proposal]:
    """A larger k: classes are merged, with several sensitive values too, or cells suppressed."""
    k = needed_size(scenario)
    values: dict[str, Any] = {
        "columns": name_columns(columns),
        "k": k,
        "unit": UNIT_WORDS[opened.unit],
    }
    what = Message(
        "a larger k: merge classes of {columns} until at least {k} {unit} share them", **values
    )
    yield Proposal("merge", {"columns": columns, "k": k}, what)
    if is_large:
        return
    what = Message("suppress {columns} where fewer than {k} {unit} share them", **values)
    yield Proposal("suppress", {"columns": columns, "k": k}, what)
    certain = {name for a in judgement.attackers for name, n in a.certain_values.items() if n}
    if certain:
        what = Message(
            "a larger k with at least 2 different values of {sensitive} (l-diversity): merge "
            "classes of {columns} until at least {k} {unit} share them",
            sensitive=name_columns(sorted(certain)),
            **values,
        )
        parameters = {"columns": columns, "k": k, "sensitive": sorted(certain), "diverse": 2}
        yield Proposal("merge", parameters, what)


def _perturbed(
    opened: OpenedRelease, scenario: Scenario, columns: Sequence[str]
) -> Iterator[Proposal]:
    """Means of similar rows for numbers; the most telling column swapped inside classes."""
    k = needed_size(scenario)
    numbers = [name for name in columns if can_be_averaged(opened, name)]
    if numbers and k <= opened.released.rows <= MAX_AVERAGED_ROWS:
        what = Message(
            "replace {columns} by the means of at least {k} similar rows (microaggregation)",
            columns=name_columns(numbers),
            k=k,
        )
        yield Proposal("microaggregate", {"columns": numbers, "k": k}, what)
    if len(columns) > 1:
        what = Message(
            "swap {column} among rows that are alike in the other known columns", column=columns[0]
        )
        alike = list(columns[1:])
        yield Proposal("swap", {"columns": [columns[0]], "alike": alike}, what)


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


def _coarser(opened: OpenedRelease, names: Sequence[str], is_large: bool) -> Iterator[Proposal]:
    for name in names:
        codes = opened.columns[name]
        for groups in COARSE_GROUPS[1:] if is_large else COARSE_GROUPS:
            what = _coarser_column(codes, name, groups)
            yield Proposal("coarsen", _coarse_parameters(opened, [name], groups), what)
        if is_large:
            continue
        step = step_for_groups(codes, ROUNDED_NUMBERS)
        if codes.is_number and not codes.read_otherwise and step > 0:
            what = Message("round {column} to multiples of {step:g}", column=name, step=step)
            yield Proposal("round", {"columns": [name], "step": step}, what)
        what = Message("publish the highest 5 % of {column} as one range", column=name)
        yield Proposal("top-code", {"columns": [name]}, what)
    if len(names) > 1:
        what = Message(
            "publish each of {columns} in about {groups} groups",
            columns=name_columns(names),
            groups=COARSE_GROUPS[-1],
        )
        yield Proposal("coarsen", _coarse_parameters(opened, names, COARSE_GROUPS[-1]), what)


def _coarse_parameters(
    opened: OpenedRelease, names: Sequence[str], groups: int
) -> dict[str, object]:
    """What makes the recoding again: the width of ranges, and how many groups of words."""
    columns = {name: opened.columns[name] for name in names}
    steps = {name: step_for_groups(c, groups) for name, c in columns.items() if is_ordered(c)}
    return {"columns": list(names), "groups": groups, "steps": steps}


def _coarser_column(codes: ColumnCodes, name: str, groups: int) -> Message:
    """What is done to a column: ranges of a width, or its frequent values and one set."""
    step = step_for_groups(codes, groups)
    if not is_ordered(codes) or step <= 0:
        return Message(
            "publish the {number} most frequent values of {column}, and all others as one",
            number=groups - 1,
            column=name,
        )
    if codes.is_date:
        return Message("publish {column} in ranges of {days:,} days", column=name, days=round(step))
    return Message("publish {column} in ranges of {step:g}", column=name, step=step)


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
