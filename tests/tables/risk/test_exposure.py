"""Exposure is what an attacker sees: it never touches the link."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from support.paper import D, X, against_x
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.risk.exposure import candidate_counts, isolation_scores, most_exposed


def case(x: dict[str, list[object]], y: dict[str, list[object]]) -> Comparison:
    tables = [Table.of(pl.DataFrame(c), qi=["q"], sa=[n for n in c if n != "q"]) for c in (x, y)]
    return Comparison(tables[0], tables[1], np.arange(tables[1].rows))


def test_two_links_give_the_same_ranking() -> None:
    people = sample_table(300, seed=1)
    for method in (Noise(0.2), Mondrian(4)):
        release = method.anonymize(people, rng=Randomness(1))
        one = Comparison.of(people, release)
        other = Comparison(people, release.public, np.roll(release.link, 7))
        assert most_exposed(one, 300) == most_exposed(other, 300)


def test_candidates_are_the_rows_that_fit() -> None:
    assert candidate_counts(against_x(X)).tolist() == [2, 2, 2, 2]
    assert candidate_counts(against_x(D)).tolist() == [2, 2, 4, 4]  # nobody fits: anyone may be it
    found = case({"q": [1, 2, 3, 9], "s": [0] * 4}, {"q": ["[1;3]", "2", "*", "5"], "s": [0] * 4})
    assert candidate_counts(found).tolist() == [3, 1, 4, 4]


@pytest.mark.parametrize(
    ("known", "released", "isolation"),
    [
        ([0.0, 10.0, 20.0], 0.0, 1.0),  # exactly one known row
        ([0.0, 10.0, 20.0], 5.0, 0.0),  # half way between two
        ([0.0, 10.0, 20.0], 2.0, 1 - 2 / 8),
        ([0.0, 0.0, 20.0], 0.0, 0.0),  # two known rows coincide: a tie, not a find
        ([0.0, 0.0, 20.0], 1.0, 0.0),
        ([4.0], 4.0, 0.0),  # one known row: nothing to stand out from
    ],
)
def test_isolation(known: list[float], released: float, isolation: float) -> None:
    found = case({"q": [1] * len(known), "s": list(known)}, {"q": [1], "s": [released]})
    assert isolation_scores(found, np.arange(found.released.rows)).tolist() == pytest.approx(
        [isolation]
    )


def test_without_sensitive_columns_nothing_is_isolated() -> None:
    assert isolation_scores(case({"q": [1, 2]}, {"q": [1, 2]}), np.arange(2)).tolist() == [0.0, 0.0]


def test_fewest_candidates_first_and_one_row_of_each_class() -> None:
    columns: dict[str, list[object]] = {"q": [1, 1, 1, 2, 3, 3], "s": [0, 1, 50, 7, 20, 21]}
    found = most_exposed(case(columns, columns), 4)
    assert [(row.candidates, row.class_size) for row in found] == [(1, 1), (2, 2), (3, 3)]
    assert found[0].values == {"q": 2, "s": 7}


@pytest.mark.parametrize(
    ("released", "reason"),
    [
        (5, "2 known people fit"),  # half way between two known rows: nothing more to say
        (0, "2 known people fit"),
        (2, "4× nearer than the next"),
    ],
)
def test_reasons_say_how_many_fit_and_how_far_it_stands_out(released: float, reason: str) -> None:
    found = most_exposed(case({"q": [1, 1], "s": [0, 10]}, {"q": [1], "s": [released]}))[0]
    assert reason in found.reason.show("en")
    assert (";" in found.reason.show("en")) == (released != 5)
    assert ("。" in found.reason.show("ja")) == (released != 5)


def test_rows_of_one_person_are_one_candidate() -> None:
    known = {"q": [1, 1, 1, 2, 2, 3], "s": [*range(6)]}
    by_rows = case(known, known)
    assert candidate_counts(by_rows).tolist() == [3, 3, 3, 2, 2, 1]
    people = np.array([0, 0, 1, 2, 2, 3])
    by_people = replace(by_rows, people=people)
    assert candidate_counts(by_people).tolist() == [2, 2, 2, 1, 1, 1]
    unlike = replace(case(known, {**known, "q": [9] * 6}), people=people)
    assert candidate_counts(unlike).tolist() == [4] * 6
    assert most_exposed(by_people)[0].reason.show("en").startswith("1 known person has")
