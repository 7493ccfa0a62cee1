"""Tests of tokumei.core.advice.advice."""

from __future__ import annotations

import random
from collections.abc import Iterable

from core.advice_helpers import candidate
from tokumei.advice import Candidate
from tokumei.core.advice.advice import mark_pareto_front


def on_front(one: Candidate, others: Iterable[Candidate]) -> bool:
    """The definition, word by word."""
    if one.risk is None:
        return False
    for other in others:
        if other.risk is None or other.id == one.id:
            continue
        no_worse = other.figures.loss <= one.figures.loss and other.risk.people <= one.risk.people
        better = other.figures.loss < one.figures.loss or other.risk.people < one.risk.people
        if no_worse and better:
            return False
    return True


def test_the_front_is_what_no_other_candidate_beats() -> None:
    draw = random.Random(1)
    for _ in range(200):
        some = [
            candidate(i, draw.randrange(5) / 5, draw.choice([None, *range(6)]))
            for i in range(draw.randrange(9))
        ]
        told = {one.id: one.on_front for one in mark_pareto_front(some)}
        assert told == {one.id: on_front(one, some) for one in some}
