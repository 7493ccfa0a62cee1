"""Tests of tokumei.apps.price.value_bounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.price.price_bounds_helpers import small
from support.price_problems import every_answer
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.value_bounds import cut_off_cost, fill_missing_prices, value_interval
from tokumei.core.errors import InputError


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
