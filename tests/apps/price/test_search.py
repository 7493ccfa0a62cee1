"""The price search against exhaustive search and the paper's loop on random cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.price_problems import every_answer, random_problem, sempb
from tokumei.apps.price.group_sizes import GroupCounter
from tokumei.apps.price.problem import Question
from tokumei.apps.price.search import RecodingSearch
from tokumei.core.errors import UnknownNameError, UsageError


def random_question(rng: np.random.Generator, names: list[str]) -> Question:
    least = {name: float(rng.integers(0, 60)) for name in names if rng.random() < 0.15}
    lost = {name: float(rng.choice([0, 0.3, 0.75, 1])) for name in names if rng.random() < 0.15}
    others = [name for name in names if name not in least and name not in lost]
    stay = tuple(name for name in others if rng.random() < 0.1)
    go = tuple(name for name in others if name not in stay and rng.random() < 0.1)
    columns = tuple(name for name in names if name in (*least, *lost, *stay) or rng.random() < 0.8)
    return Question(
        k=int(rng.integers(1, 9)),
        columns=columns if rng.random() < 0.2 else None,
        suppression=float(rng.choice([0, 0, 0.05, 0.2])),
        least=least,
        most_lost=lost,
        stay=stay,
        go=go,
        best=int(rng.integers(1, 5)),
        cut_off=float(rng.choice([0, 0, 0, 40])),
    )


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_equal_to_exhaustive_search(block: int) -> None:
    for case in range(50):
        rng = np.random.default_rng(50 * block + case)
        problem = random_problem(rng, attributes=int(rng.integers(2, 7)))
        groups = GroupCounter(problem)
        question = random_question(rng, [one.name for one in problem.attributes])
        found = RecodingSearch(problem, groups, question).run()
        expected = every_answer(problem, question)[: question.best]
        assert [(answer.worth, answer.candidate) for answer in found] == expected
        assert all(answer.optimal for answer in found)


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_equal_to_sempb(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, attributes=int(rng.integers(2, 4)))
    (best,) = RecodingSearch(problem, GroupCounter(problem), Question(k=k)).run()
    assert (best.worth, best.candidate) == sempb(problem, k)


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (Question(k=0), UsageError),  # below 1
        (Question(k=41), UsageError),  # more than there are people
        (Question(suppression=1.5), UsageError),
        (Question(best=0), UsageError),
        (Question(seconds=0), UsageError),
        (Question(least={"x0": -1}), UsageError),
        (Question(most_lost={"x0": 1.5}), UsageError),
        (Question(most_lost={"x9": 0.5}), UnknownNameError),
        (Question(least={"x9": 1}), UnknownNameError),
        (Question(stay=("x9",)), UnknownNameError),
        (Question(columns=("x9",)), UnknownNameError),
        (Question(stay=("x1",), columns=("x0",)), UnknownNameError),  # stays, but is not asked for
        (Question(stay=("x0",), go=("x0",)), UsageError),
    ],
)
def test_questions_without_sense(question: Question, error: type[Exception]) -> None:
    problem = random_problem(np.random.default_rng(1), attributes=2)
    with pytest.raises(error):
        RecodingSearch(problem, GroupCounter(problem), question)
