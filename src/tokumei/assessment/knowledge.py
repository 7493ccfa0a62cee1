"""The attackers of a scenario: which columns each knows, and what each finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, islice
from math import comb

from tokumei.assessment.attacker_figures import AttackerFigures, attack_exactly
from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.rough_knowledge import KnownColumnCodes
from tokumei.assessment.statistical_attack import attack_by_distance
from tokumei.core.scenario import ColumnKnowledge, Scenario

MAX_COMBINATIONS = 60
"""More combinations of columns known at once are not tried."""


def known_columns(opened: OpenedRelease, scenario: Scenario) -> list[ColumnKnowledge] | None:
    """What the recipient may know of columns that leave; None: nobody says which.

    Columns that do not leave help nobody, nor do pseudonyms drawn for the release.
    """
    if scenario.knows is not None:
        named = list(scenario.knows)
    elif scenario.recipient == "public":
        named = [ColumnKnowledge(name) for name in opened.columns]
    else:
        if not opened.original.schema.qi:
            return None
        named = [ColumnKnowledge(name) for name in opened.original.schema.qi]
    opened.original.schema.require([knowledge.column for knowledge in named])
    opened.original.schema.require(scenario.holds)
    held = [
        ColumnKnowledge(name)
        for name in scenario.holds
        if name not in {knowledge.column for knowledge in named}
    ]
    return [knowledge for knowledge in (*named, *held) if knowledge.column in opened.columns]


def attack_by_scenario(
    opened: OpenedRelease, scenario: Scenario, knows: Sequence[ColumnKnowledge]
) -> list[AttackerFigures]:
    """Every attacker of the scenario, the strongest first."""
    at_once = min(scenario.at_once or len(knows), len(knows))
    subsets = islice(combinations(knows, at_once), MAX_COMBINATIONS)
    figures = [figure for subset in subsets for figure in attack_with(opened, scenario, subset)]
    return sorted(figures, key=lambda found: found.strength, reverse=True)


def untried_combinations(scenario: Scenario, knows: Sequence[ColumnKnowledge]) -> int:
    """How many combinations of columns known at once were not tried."""
    at_once = min(scenario.at_once or len(knows), len(knows))
    return max(0, comb(len(knows), at_once) - MAX_COMBINATIONS)


def attack_with(
    opened: OpenedRelease, scenario: Scenario, knows: Sequence[ColumnKnowledge]
) -> list[AttackerFigures]:
    """Somebody who knows these columns: by what fits, and by what is near where values moved."""
    assert opened.link is not None
    columns = [
        KnownColumnCodes.of(
            opened.columns[knowledge.column], knowledge, opened.hierarchies.get(knowledge.column)
        )
        for knowledge in knows
    ]
    exact = [column for column in columns if not column.codes.is_moved]
    known = {knowledge.column for knowledge in knows}
    sensitive = [
        opened.columns[name]
        for name in opened.original.schema.sa
        if name in opened.columns and name not in known
    ]
    found = [_link_rows(opened, scenario, exact, sensitive)]
    if len(exact) < len(columns) or found[0].not_fitting:
        near = attack_by_distance(opened, [knowledge.column for knowledge in knows])
        found += [] if near is None else [near]
    return found


def _link_rows(
    opened: OpenedRelease,
    scenario: Scenario,
    columns: Sequence[KnownColumnCodes],
    sensitive: Sequence[ColumnCodes],
) -> AttackerFigures:
    """Somebody who takes whoever fits, with rows of one person put together where that helps.

    Where cells do not hold the values of their rows, rows by themselves may tell more.
    """
    assert opened.link is not None
    attack = partial(
        attack_exactly,
        columns,
        opened.link,
        opened.released_people,
        sensitive=sensitive,
        fraction=population_fraction(opened, scenario),
    )
    found = attack(linked_rows=opened.links_rows)
    if opened.links_rows and found.not_fitting:
        found = max(found, attack(linked_rows=False), key=lambda figures: figures.strength)
    return found


def attack_with_everything(opened: OpenedRelease, scenario: Scenario) -> AttackerFigures:
    """The bound: somebody who holds the whole original.

    Where rows contradict their link and the manifest names no method that exchanges values, people
    are found by value: whoever fits alone counts as identified.
    """
    knows = [ColumnKnowledge(name) for name in opened.columns]
    found = attack_with(opened, scenario, knows)
    exact = found[0]
    if exact.not_fitting and exact.if_all_fit is not None and not opened.is_perturbed:
        identified, guessed = exact.if_all_fit
        found.append(replace(exact, identified=identified, guessed_right=guessed))
    return max(found, key=lambda figures: figures.strength)


def population_fraction(opened: OpenedRelease, scenario: Scenario) -> float:
    """The share of the population that was released; 1 for a prosecutor."""
    if scenario.knows_membership != "journalist" or not scenario.population:
        return 1.0
    released = int(opened.released_people.max(initial=-1)) + 1
    return min(1.0, released / scenario.population)
