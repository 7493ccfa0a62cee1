"""Attackers that compare what is near: for columns whose numbers were moved, or swapped.

Their answer for a released row is a set of people. Where it is one person, the attacker is as sure
as such answers are right on the whole: identified counts them from 90 % on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.assessment.attacker_figures import SURE, AttackerFigures
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.wording import name_columns
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.everything import Everything
from tokumei.tables.attackers.protocol import attack_rate
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table


def attack_by_distance(opened: OpenedRelease, knows: Sequence[str]) -> AttackerFigures | None:
    """Somebody who knows these columns and takes whoever fits and is nearest."""
    if opened.link is None or not knows:
        return None
    names = list(knows)
    schema = opened.original.schema
    qi, sa = ([name for name in role if name in names] for role in (schema.qi, schema.sa))
    original, public = (
        Table.of(table.frame.select(names), qi=qi, sa=sa)
        for table in (opened.original, opened.released)
    )
    knowledge = Knowledge(original, hierarchies=dict(opened.hierarchies), strict=False)
    guess = Everything().attack(public, knowledge, rng=Randomness(0))
    people = opened.original_people if opened.counts_people else None
    rate = attack_rate(guess, opened.link, original.rows, generator=None, people=people)
    total = int(opened.released_people.max(initial=-1)) + 1
    sure, wrong = _sure_answers(guess, opened)
    return AttackerFigures(
        code=Everything.name,
        name=Message("takes the nearest by {columns}", columns=name_columns(names)),
        knows=tuple(names),
        total=total,
        targets=total,
        identified=sure,
        guessed_right=rate.hits,
        confidently_wrong=wrong,
        smallest_class=None,
        baseline=1.0 / total if total else 0.0,
    )


def _sure_answers(guess: Guess, opened: OpenedRelease) -> tuple[int, int]:
    """People who are named alone, rightly and wrongly, if nine of ten such answers are right."""
    assert opened.link is not None
    people = opened.original_people
    by_person = guess.to_people(people) if opened.counts_people else guess
    sizes = np.diff(by_person.start)
    alone = np.flatnonzero(by_person.answered)
    alone = alone[sizes[by_person.group[alone]] == 1]
    if not len(alone):
        return 0, 0
    named = by_person.rows[by_person.start[by_person.group[alone]]]
    true = people[opened.link[alone]]
    is_right = named == true
    if is_right.mean() < SURE:
        return 0, 0
    right = np.unique(true[is_right])
    return len(right), len(np.setdiff1d(true[~is_right], right))
