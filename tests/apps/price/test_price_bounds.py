"""Cut-offs, intents, days and unpriced words against slow references on small populations."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.price_problems import every_answer
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_days import by_intent, daily_optima, read_price_days
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.summary_tables import expected_cost
from tokumei.apps.price.value_bounds import cut_off_cost, fill_missing_prices, value_interval
from tokumei.core.errors import InputError, UsageError


def small(folder: Path, seed: int, *, rows: int = 60) -> PriceSession:
    people, lines = sample_prices(rows, seed=seed, columns=4, patterns=3)
    lines.write_csv(folder / "p.csv")
    return PriceSession(people, PriceList.read(folder / "p.csv"))


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(0, 8000), st.sampled_from([0.0, 0.1]), st.booleans())
def test_what_a_cut_off_costs(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cut: int, share: float, stays: bool
) -> None:
    """Against all candidates: the loss is exact, and never above the bound."""
    session = small(tmp_path_factory.mktemp("p"), seed)
    stay = ("職業",) if stays else ()
    question = Question(k=3, cut_off=cut, suppression=share, stay=stay)
    asked = session.ask(question)
    if not asked.answers:
        return
    found = cut_off_cost(session, asked)
    free = every_answer(asked.problem, replace(question, cut_off=0))[0][0]
    assert found.lost == free - asked.best.worth <= found.at_most
    assert {one.worth < cut for one in found.left_out} <= {True}


def test_the_bound_without_a_second_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With very many recodings only the bound is told; it still holds."""
    session = small(tmp_path, 4)
    asked = session.ask(Question(k=3, cut_off=2000))
    exact = cut_off_cost(session, asked)
    monkeypatch.setattr("tokumei.apps.price.value_bounds.QUICK_CANDIDATES", 1)
    found = cut_off_cost(session, asked)
    assert found.lost is None
    assert exact.lost is not None
    assert exact.lost <= found.at_most
    assert found.as_json()["left_out"] == exact.as_json()["left_out"] != []


HEAD = "attribute,pattern,value,word,price,intent\n"
LINES = (
    "a,original,1,one,5,will\na,original,1,one,2,be\na,original,2,two,4,be\n"
    "a,all,1,any,3,\na,all,2,any,3,\n"
)


def test_intents_are_parts_of_a_price(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(HEAD + LINES)
    prices = PriceList.read(tmp_path / "p.csv")
    assert prices.prices["a"] == {"one": 7, "two": 4, "any": 3}
    assert prices.known_intents() == ["will", "be", ""]
    session = PriceSession(pl.DataFrame({"a": [1, 1, 2]}), prices)
    found = by_intent(session, Question(k=1))
    values = {
        line.intent: (line.original_value, line.value, line.own_value) for line in found.lines
    }
    # Without intent only `any` is worth something, so that choice is another.
    assert values == {"will": (10, 10, 10), "be": (8, 8, 8), "": (0, 0, 9)}
    assert [line.same_choice for line in found.lines] == [True, True, False]
    assert found.as_json()["both"]["value"] == 18


@pytest.mark.parametrize("line", ["a,original,3,x,5,maybe\n", "a,original,1,one,6,will\n"])
def test_intents_that_cannot_be(tmp_path: Path, line: str) -> None:
    (tmp_path / "p.csv").write_text(HEAD + LINES + line)
    with pytest.raises(InputError, match="cannot be used"):
        PriceList.read(tmp_path / "p.csv")


def test_a_list_without_intents_has_none(tmp_path: Path) -> None:
    session = small(tmp_path, 1)
    with pytest.raises(InputError, match="intent"):
        by_intent(session, Question())
    (tmp_path / "i.csv").write_text(HEAD + LINES)
    with pytest.raises(InputError, match="cannot be split"):
        PriceList.read(tmp_path / "i.csv").with_prices(lambda word: 1)


def test_days_against_single_questions(tmp_path: Path) -> None:
    people = sample_prices(60, seed=1, columns=3)[0]
    for day in (3, 1, 2):
        lines = sample_prices(1, seed=day, columns=3)[1]
        lines.write_csv(tmp_path / f"prices_2026-11-0{day}.csv")
    lists = read_price_days(tmp_path)
    question = Question(k=4, suppression=0.05)
    days = daily_optima(PriceSession(people, lists[0]), lists, question)
    for before, (day, prices) in itertools.pairwise(zip(days, lists, strict=True)):
        alone = PriceSession(people, prices)
        best = every_answer(alone.problem(), question)
        assert day.value == best[0][0]
        kept = dict((candidate, worth) for worth, candidate in best)[
            before[0].answer.best.candidate
        ]
        assert day.regret == best[0][0] - kept >= 0
    (tmp_path / "undated.csv").write_text((tmp_path / "prices_2026-11-01.csv").read_text())
    with pytest.raises(InputError, match="no date"):
        read_price_days(tmp_path)
    (tmp_path / "undated.csv").rename(tmp_path / "again_2026-11-01.csv")
    with pytest.raises(InputError, match="same date"):
        read_price_days(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no price lists"):
        read_price_days(tmp_path / "empty")


def test_unpriced_words_are_filled(tmp_path: Path) -> None:
    text = "attribute,pattern,value,word,price\na,original,1,x,10\na,original,2,y,\n"
    text += "a,original,3,z,20\n"
    (tmp_path / "p.csv").write_text(text + "b,original,1,u,\nb,original,2,v,\n")
    prices = PriceList.read(tmp_path / "p.csv")
    assert fill_missing_prices(prices, "median").prices == {
        "a": {"x": 10, "y": 15, "z": 20},
        "b": {"u": 15, "v": 15},
    }
    people = pl.DataFrame({"a": [1, 2, 2, 3], "b": [1, 1, 2, 2]})
    session = PriceSession(people, prices)
    found = value_interval(session, session.ask(Question(k=1)))
    assert found.original == found.value == (30, 30 + 30 + 60, 30 + 40 + 80)
    nothing = replace(prices, prices={n: dict.fromkeys(w) for n, w in prices.prices.items()})
    with pytest.raises(InputError, match="no word"):
        fill_missing_prices(nothing, "dearest")


def test_more_to_search_costs_more(tmp_path: Path) -> None:
    few = expected_cost(small(tmp_path, 1).problem(), speed=1)
    many = expected_cost(small(tmp_path, 1, rows=3000).problem(), speed=1)
    assert few.candidates == many.candidates == 3**4
    assert (few.seconds, few.bytes) < (many.seconds, many.bytes)
    assert expected_cost(small(tmp_path, 1).problem(), speed=2).seconds == few.seconds / 2
    assert few.sure


def test_a_share_that_is_none() -> None:
    from tokumei.core.option_parsing import parse_share_pairs

    assert parse_share_pairs({"a": "30%", "b": "0.25"}, "--most-lost") == {"a": 0.3, "b": 0.25}
    with pytest.raises(UsageError, match="not a number"):
        parse_share_pairs({"a": "much"}, "--most-lost")
    assert np.isclose(parse_share_pairs({"a": "12.5%"}, "")["a"], 0.125)
