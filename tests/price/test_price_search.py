"""The price search against exhaustive search on random cases."""

from __future__ import annotations

import numpy as np
import pytest

from price_problems import every_answer, random_problem
from tokumei.price.groups import Groups
from tokumei.price.question import Question
from tokumei.price.search import Search


def random_question(rng: np.random.Generator, names: list[str]) -> Question:
    least = {name: float(rng.integers(0, 60)) for name in names if rng.random() < 0.15}
    others = [name for name in names if name not in least]
    stay = tuple(name for name in others if rng.random() < 0.1)
    go = tuple(name for name in others if name not in stay and rng.random() < 0.1)
    return Question(
        k=int(rng.integers(1, 9)),
        suppression=float(rng.choice([0, 0, 0.05, 0.2])),
        least=least,
        stay=stay,
        go=go,
        best=int(rng.integers(1, 5)),
    )


@pytest.mark.parametrize("block", range(10))
def test_equal_to_exhaustive_search(block: int) -> None:
    for case in range(50):
        rng = np.random.default_rng(50 * block + case)
        problem = random_problem(rng, attributes=int(rng.integers(2, 7)))
        groups = Groups(problem)
        question = random_question(rng, [one.name for one in problem.attributes])
        found = Search(problem, groups, question).run()
        expected = every_answer(problem, question)[: question.best]
        assert [(answer.worth, answer.candidate) for answer in found] == expected
        assert all(answer.optimal for answer in found)
