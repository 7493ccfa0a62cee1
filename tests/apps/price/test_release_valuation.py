"""Tests of tokumei.apps.price.release_valuation."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from apps.price.price_tables_helpers import price_list
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.release_valuation import value_release
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.summary_tables import attribute_table

TABLE_4 = {
    # attribute: words, k, value before and after (None: deleted), priority
    "職業": (10, 86, 1_307_878, 951_813, 3),
    "年代": (8, 17, 749_360, 622_910, 5),
    "住所": (47, 39, 690_763, None, 4),
    "誕生日": (73, 1, 550_713, None, 6),
    "性別": (2, 4280, 549_109, 549_109, 1),
    "婚姻": (2, 5464, 524_724, 524_724, 2),
    "年収": (11, 29, 0, None, 7),
}


def paper_people() -> pl.DataFrame:
    """People whose attributes have the paper's numbers of words and its k."""
    rows = 12_000
    columns = {
        name: np.concatenate([np.zeros(k, dtype=int), np.arange(rows - k) % (words - 1) + 1])
        for name, (words, k, *_) in TABLE_4.items()
    }
    return pl.DataFrame(columns)


def test_tables_4_and_5(tmp_path: Path) -> None:
    """Every word costs what the paper's attribute is worth, so values are `rows` times theirs."""
    people = paper_people()
    rows = people.height
    lines: list[tuple[object, ...]] = []
    for name, (words, _, before, after, _) in TABLE_4.items():
        lines += [(name, "original", v, f"{name}{v}", before) for v in range(words)]
        if after not in (None, before):
            lines += [(name, "coarse", v, f"{name}だれでも", after) for v in range(words)]
    prices = price_list(tmp_path, lines)
    problem = PriceSession(people, prices).problem()
    for line in attribute_table(problem):
        words, k, before, _, priority = TABLE_4[line.attribute]
        assert (line.words, line.k, line.priority) == (words, k, priority)
        assert line.value == before * rows
    coarse = [pl.lit(f"{name}だれでも").alias(name) for name in ("職業", "年代")]
    released = people.select(*coarse, "性別", "婚姻")
    found = value_release(people, released, prices)
    assert (found.original_value, found.value) == (4_372_547 * rows, 2_648_556 * rows)
    assert f"{found.ratio:.2%}" == "60.57%"
    told = {
        one.name: (one.treatment, None if one.ratio is None else round(one.ratio, 4))
        for one in found.attributes
    }
    assert told == {
        "職業": ("generalized", 0.7278),
        "年代": ("generalized", 0.8313),
        "住所": ("deleted", 0.0),
        "誕生日": ("deleted", 0.0),
        "性別": ("kept", 1.0),
        "婚姻": ("kept", 1.0),
        "年収": ("deleted", None),
    }
    assert found.unpriced == []


def slow_value(frame: pl.DataFrame, prices: PriceList) -> Decimal:
    """Cell by cell: a word of the list, or a value of the original."""
    total = Decimal()
    for name in frame.columns:
        original = prices.patterns[name]["original"]
        for cell in frame[name].cast(pl.String):
            word = cell if cell in prices.prices[name] else original.get(cell)
            total += prices.prices[name].get(word) or 0
    return total


@pytest.mark.parametrize("method", ["mondrian", "ours"])
def test_the_value_of_any_release(tmp_path: Path, method: str) -> None:
    people, lines = sample_prices(400, seed=5)
    lines.write_csv(tmp_path / "p.csv")
    prices = PriceList.read(tmp_path / "p.csv")
    if method == "ours":
        session = PriceSession(people, prices)
        asked = session.ask(Question(k=3, suppression=0.05))
        frame = session.release(asked, seed=1).public.frame
        assert value_release(people, frame, prices).value == asked.best.worth
        assert value_release(people, frame, prices).k == asked.best.k
    else:
        frame = tk.anonymize(
            people, "mondrian", k=3, qi=people.columns, sa=[], ids=[], seed=1, no_normalize="unit"
        ).public.frame
    found = value_release(people, frame, prices)
    assert found.value == slow_value(frame, prices)
    assert found.original_value == slow_value(people, prices)
    general = sum(
        frame[name].cast(pl.String).str.contains(r"^[\[{*]").sum() for name in frame.columns
    )
    assert sum(one.rows for one in found.unpriced) == general


def test_a_star_is_a_deletion_and_an_unknown_cell_is_listed(tmp_path: Path) -> None:
    lines = [("a", "original", v, v, 2) for v in (1, 2)] + [("b", "original", "x", "x", 5)]
    people = pl.DataFrame({"a": [1, 2], "b": ["x", "x"]})
    released = pl.DataFrame({"a": ["*", "*"], "b": ["x", "y"]})
    found = value_release(people, released, price_list(tmp_path, lines))
    assert [one.treatment for one in found.attributes] == ["deleted", "generalized"]
    told = found.as_json()
    assert (told["value"], told["original_value"], told["k"]) == (5, 14, 1)
    assert {(one["attribute"], one["cell"], one["rows"]) for one in told["unpriced"]} == {
        ("a", "*", 2),
        ("b", "y", 1),
    }
