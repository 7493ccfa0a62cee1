"""The attackers of a scenario on a release of purchases, and the bound.

Exact attackers compare what is known with the cells; statistical ones are the attacks of the kind
of data, counted by their own probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice

import numpy as np

from tokumei.assessment.attacker_figures import SURE, AttackerFigures
from tokumei.assessment.knowledge import MAX_COMBINATIONS
from tokumei.assessment.known_purchases import KnownPurchases, known_purchases
from tokumei.assessment.opened_purchases import OpenedPurchases, PersonChances, known_columns
from tokumei.assessment.purchase_candidates import OwnerCandidates, find_candidates
from tokumei.assessment.purchase_totals import find_candidates_by_totals
from tokumei.core.messages import Message
from tokumei.core.scenario import ColumnKnowledge, Scenario

EVERYTHING = KnownPurchases("all")


def attack_purchases(
    opened: OpenedPurchases, scenario: Scenario, *, statistically: bool = True
) -> list[AttackerFigures]:
    """Every attacker of the scenario, the strongest first."""
    knows = known_columns(opened, scenario)
    at_once = min(scenario.at_once or len(knows), len(knows))
    found = list[AttackerFigures]()
    for known in known_purchases(scenario):
        for columns in islice(combinations(knows, at_once), MAX_COMBINATIONS):
            found += _attack_with(opened, scenario, known, columns, statistically)
            if known.form == "totals":
                break
    return sorted(found, key=lambda figures: figures.strength, reverse=True)


def attack_with_whole_original(opened: OpenedPurchases, scenario: Scenario) -> AttackerFigures:
    """The bound: somebody who holds the whole original."""
    columns = [ColumnKnowledge(name) for name in opened.rows.columns]
    found = _attack_with(opened, scenario, EVERYTHING, columns, True)
    return max(found, key=lambda figures: figures.strength)


def _attack_with(
    opened: OpenedPurchases,
    scenario: Scenario,
    known: KnownPurchases,
    columns: Sequence[ColumnKnowledge],
    statistically: bool,
) -> list[AttackerFigures]:
    fraction = population_fraction(opened, scenario)
    names = tuple(knowledge.column for knowledge in columns)
    means = known.describe([knowledge.text for knowledge in columns])
    found, used = list[AttackerFigures](), np.ones(opened.rows.original.rows, dtype=bool)
    if known.form == "totals":
        candidates = find_candidates_by_totals(opened)
        return [count_exact(opened, candidates, known, (), means, fraction)]
    if known.form != "earlier":
        compared = [codes for item in columns if (codes := opened.known_codes(item)) is not None]
        candidates = find_candidates(opened, compared, known)
        found.append(count_exact(opened, candidates, known, names, means, fraction))
        used = used if known.form == "all" else candidates.known
    exactly = [knowledge.column for knowledge in columns if knowledge.is_exact]
    attacker = opened.attackers.get(known.form, opened.attackers.get(""))
    if statistically and exactly and attacker is not None:
        chances = attacker.attack(opened, used, exactly)
        if chances is not None:
            code = f"{attacker.code}-{_code(known)}"
            found.append(_count_likely(opened, chances, code, tuple(exactly), means, fraction))
    return found


def population_fraction(opened: OpenedPurchases, scenario: Scenario) -> float:
    """The share of the population that was released; 1 for a prosecutor."""
    if scenario.knows_membership != "journalist" or not scenario.population:
        return 1.0
    return min(1.0, opened.people / scenario.population)


def _code(known: KnownPurchases) -> str:
    return f"{known.count}-purchases" if known.form == "count" else known.form


def count_exact(
    opened: OpenedPurchases,
    found: OwnerCandidates,
    known: KnownPurchases,
    names: tuple[str, ...],
    means: Message,
    fraction: float,
) -> AttackerFigures:
    """The figures of somebody who compares cells; a person by the pseudonym that tells most."""
    person, total = opened.person_of_owner[found.owners], opened.people
    chance = fraction / np.maximum(found.size, 1)
    right = _best(person, np.where(found.holds, chance, 0.0), total)
    wrong = _best(person, np.where(~found.holds & (found.size > 0), chance, 0.0), total) >= SURE
    attacked = np.unique(person)
    scale = total / max(len(attacked), 1)
    sizes = found.size[found.holds]
    return AttackerFigures(
        code=_code(known),
        name=Message("links by {columns}", columns=means),
        knows=names,
        total=total,
        targets=len(attacked),
        identified=_scaled(int((right >= SURE).sum()), scale),
        guessed_right=_stable_sum(right) * scale,
        confidently_wrong=_scaled(int((wrong & (right < SURE)).sum()), scale),
        smallest_class=int(sizes.min() / fraction) if len(sizes) else None,
        not_fitting=_scaled(int((right[attacked] == 0).sum()), scale),
        is_sampled=found.is_sampled,
        baseline=fraction / total if total else 0.0,
        row_chances=None if found.is_sampled else right[opened.rows.released_people],
        means=means,
    )


def _count_likely(
    opened: OpenedPurchases,
    chances: PersonChances,
    code: str,
    names: tuple[str, ...],
    means: Message,
    fraction: float,
) -> AttackerFigures:
    """The figures of an attack with probabilities; it is sure as far as nine of ten are right."""
    sure, wrong = int(chances.sure.sum()), int((chances.wrong & ~chances.sure).sum())
    is_sure = fraction >= SURE and sure >= SURE * (sure + wrong)
    total = opened.people
    return AttackerFigures(
        code=code,
        name=Message("takes the likeliest by {columns}", columns=means),
        knows=names,
        total=total,
        targets=total,
        identified=sure if is_sure else 0,
        guessed_right=_stable_sum(chances.right) * fraction,
        confidently_wrong=wrong if is_sure else 0,
        smallest_class=None,
        baseline=fraction / total if total else 0.0,
        means=means,
    )


def _best(person: np.ndarray, values: np.ndarray, people: int) -> np.ndarray:
    best = np.zeros(people)
    np.maximum.at(best, person, values)
    return best


def _scaled(count: int, scale: float) -> float:
    return count if scale == 1.0 else count * scale


def _stable_sum(chances: np.ndarray) -> float:
    """A sum that does not depend on the order of people."""
    values, counts = np.unique(chances, return_counts=True)
    return float((values * counts).sum())
