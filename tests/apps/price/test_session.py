"""Tests of tokumei.apps.price.session."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from apps.price.session_fixtures import ROWS
from apps.price.session_fixtures import people as people
from apps.price.session_fixtures import price_lists as price_lists
from apps.price.session_fixtures import session as session
from support.price_problems import every_answer
from support.required_claims import require_claims
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession, recount_groups, require_matching_counts
from tokumei.apps.price.value_curves import build_comparison, compare_prices, value_frontier
from tokumei.core.errors import ClaimError, InputError, UsageError


def test_the_optimum_of_a_sample_is_that_of_exhaustive_search(people: pl.DataFrame) -> None:
    """Larger tables than the random cases have, with correlated columns."""
    lines = sample_prices(1, seed=9, patterns=4)[1]
    patterns: dict[str, dict[str, dict[str | None, str]]] = {}
    prices: dict[str, dict[str, Decimal | None]] = {}
    for attribute, pattern, value, word, price in lines.iter_rows():
        patterns.setdefault(attribute, {}).setdefault(pattern, {})[value] = word
        prices.setdefault(attribute, {})[word] = Decimal(price)
    columns = ["年代", "年齢", "婚姻", "年収"]
    session = PriceSession(people, PriceList(patterns, prices), columns=columns)
    for question in (Question(k=3, best=5), Question(k=10, suppression=0.03, best=5)):
        found = session.ask(question).answers
        expected = every_answer(session.problem(), question)[:5]
        assert [(answer.worth, answer.candidate) for answer in found] == expected


@pytest.mark.long
def test_a_session_answers_as_a_new_one_does(
    people: pl.DataFrame, session: PriceSession, price_lists: list[PriceList]
) -> None:
    for prices in price_lists:
        fresh = PriceSession(people, prices)
        for k in (2, 7, 40):
            asked = Question(k=k, best=3, suppression=0.01)
            ours, theirs = session.ask(asked, prices=prices), fresh.ask(asked)
            assert ours.answers == theirs.answers


def test_eight_threads_get_the_answers_that_one_gets(
    people: pl.DataFrame, price_lists: list[PriceList]
) -> None:
    alone, shared = (PriceSession(people, price_lists[0]) for _ in range(2))
    asked = [(Question(k=k), prices) for k in (2, 3, 5, 9, 20) for prices in price_lists]
    expected = [alone.ask(question, prices=prices).answers for question, prices in asked]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda one: shared.ask(one[0], prices=one[1]).answers, asked))
    assert found == expected


def test_cancelled_at_once(session: PriceSession) -> None:
    """Everything deleted holds always; where a column must stay, nothing was found in time."""
    (answer,) = session.ask(Question(k=2), cancelled=lambda: True).answers
    assert (answer.worth, answer.optimal) == (0, False)
    assert answer.bound > 0
    asked = session.ask(Question(k=2, stay=("住所",)), cancelled=lambda: True)
    assert asked.answers == []
    with pytest.raises(ClaimError, match="no recoding reaches k = 2"):
        asked.as_json()


def test_no_answer(session: PriceSession) -> None:
    with pytest.raises(ClaimError):
        _ = session.ask(Question(k=ROWS, stay=("住所",))).best


def test_an_answer_that_does_not_hold_is_not_given(session: PriceSession) -> None:
    asked = session.ask(Question(k=5))
    sizes = recount_groups(asked.problem, asked.best.candidate)
    require_matching_counts(asked.best, sizes, asked.question)
    for wrong in (replace(asked.best, k=asked.best.k + 1), replace(asked.best, suppressed=1)):
        with pytest.raises(ClaimError):
            require_matching_counts(wrong, sizes, asked.question)
    finest = recount_groups(asked.problem, (0,) * len(asked.problem.attributes))
    with pytest.raises(ClaimError):
        require_matching_counts(asked.best, finest, asked.question)


@pytest.mark.parametrize("suppression", [0.0, 0.05])
def test_a_release_holds_what_the_answer_says(
    people: pl.DataFrame, session: PriceSession, suppression: float
) -> None:
    asked = session.ask(Question(k=4, suppression=suppression))
    release = session.release(asked, seed=3)
    require_claims(release.public, release.claims)
    choice = asked.as_json()["choice"]
    frame = release.public.frame
    assert frame.columns == [name for name, pattern in choice.items() if pattern != "delete"]
    words = [asked.prices.patterns[name][choice[name]] for name in frame.columns]
    for row, original in zip(frame.iter_rows(), release.link, strict=True):
        source = people.row(int(original), named=True)
        for name, cell, up in zip(frame.columns, row, words, strict=True):
            assert str(cell) == (
                str(source[name]) if choice[name] == "original" else up[str(source[name])]
            )
    assert frame.height == ROWS - asked.best.suppressed
    sizes = frame.group_by(frame.columns).len()["len"]
    assert sizes.min() == asked.best.k
    (step,) = release.manifest()["provenance"]["steps"]
    assert step["choice"] == choice
    assert step["prices"] == asked.prices.record()
    again = session.release(asked, seed=3)
    assert again.public.frame.equals(frame)
    ordered = session.release(asked, keep_order=True, starred=True, keep=["年齢"])
    assert (np.diff(ordered.link) > 0).all()
    assert ordered.public.frame.columns == people.columns


def test_nothing_left_is_no_release(session: PriceSession) -> None:
    asked = session.ask(Question(k=ROWS))
    assert set(asked.as_json()["choice"].values()) == {"delete"}
    with pytest.raises(ClaimError, match="nothing to write"):
        session.release(asked)


def test_columns_that_are_asked_for(session: PriceSession) -> None:
    told = session.ask(Question(k=5, columns=("職業", "性別"))).as_json()
    whole = session.ask(Question(k=5)).as_json()
    assert list(told["choice"]) == list(told["values"]) == ["職業", "性別"]
    assert told["original_value"] < whole["original_value"]
    assert told["value"] == sum(told["values"].values())


def test_the_difference_of_two_lists(
    session: PriceSession, price_lists: list[PriceList], tmp_path: Path
) -> None:
    found = compare_prices(session, price_lists[1], Question(k=5))
    told = found.as_json()
    before, after = (session.ask(Question(k=5), prices=one) for one in price_lists[:2])
    assert told["value_change"] == after.best.worth - before.best.worth
    assert set(found.changed) == {
        name
        for name, pattern in before.as_json()["choice"].items()
        if after.as_json()["choice"][name] != pattern
    }
    assert found.kept_value == after.problem.worth(before.best.candidate)
    assert found.gain_from_new_choice == after.best.worth - found.kept_value >= 0
    same = compare_prices(session, price_lists[0], Question(k=5))
    assert (same.changed, same.gain_from_new_choice) == ({}, 0)
    sample_prices(1, seed=1, patterns=2)[1].write_csv(tmp_path / "few_JPY.csv")
    assert compare_prices(session, PriceList.read(tmp_path / "few_JPY.csv"), Question(k=5)).changed
    sample_prices(1, seed=1)[1].write_csv(tmp_path / "dollars_USD.csv")
    with pytest.raises(InputError, match="two currencies"):
        compare_prices(session, PriceList.read(tmp_path / "dollars_USD.csv"), Question(k=5))


def test_attackers_find_as_many_as_there_are_groups(session: PriceSession) -> None:
    """The link attack knows what a word may mean: one hit per group is what it can expect."""
    points = value_frontier(session, [2, 8, ROWS], question=Question(best=2), seed=1)
    assert [point.asked_k for point in points] == [2, 2, 8, 8, ROWS]
    for point in points:
        choice = [name for name, pattern in point.answer["choice"].items() if pattern != "delete"]
        asked = session.ask(Question(k=point.asked_k, best=2))
        answer = next(
            one
            for one in asked.answers
            if one.as_json(asked.problem, asked.question) == point.answer
        )
        groups = 1
        if choice:
            groups = build_comparison(session, asked, answer).released.frame.n_unique()
        assert point.found_share == pytest.approx(groups / ROWS)
    best = max(points, key=lambda point: point.answer["value"])
    assert best.front_k
    assert best.front_attack
    for point in points:
        beaten = any(
            other.answer["value"] >= point.answer["value"]
            and other.found_share <= point.found_share
            and (other.answer["value"], -other.found_share)
            != (point.answer["value"], -point.found_share)
            for other in points
        )
        assert point.front_attack == (not beaten)
    with pytest.raises(UsageError):
        value_frontier(session, [])


def test_frames_without_rows(price_lists: list[PriceList], people: pl.DataFrame) -> None:
    with pytest.raises(InputError, match="no rows"):
        PriceSession(people.clear(), price_lists[0])
