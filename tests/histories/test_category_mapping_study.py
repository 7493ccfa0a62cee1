"""Analyses of items against plain loops, and the study's controls."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

import tokumei as tk
from histories.category_mapping_study_fixtures import general as general
from histories.category_mapping_study_fixtures import history as history
from tokumei.histories.categories.mapping import prefix_categories
from tokumei.histories.category_mapping_study import (
    basket_f1,
    monthly_sales_error,
    next_item_hits,
    original_item_rows,
    random_categories,
    released_item_rows,
    study_categories,
    top_item_overlap,
)
from tokumei.histories.data.generalized_history import format_general_history


def test_an_unchanged_history_loses_nothing(history) -> None:
    rows = original_item_rows(history)
    assert (
        monthly_sales_error(rows, rows),
        top_item_overlap(rows, rows),
        basket_f1(rows, rows),
    ) == (0, 1, 1)
    first, second = next_item_hits(rows, rows)
    assert first == second


def test_sales_and_best_sellers_cell_by_cell(history, general) -> None:
    text, seen = format_general_history(general), released_item_rows(general, history.item_names)
    rows: dict[str, float] = defaultdict(float)
    sold: dict[tuple[str, str], float] = defaultdict(float)
    kept = text.filter(general.kept)["item"].to_list()
    months = np.rint(seen.day).astype("datetime64[D]").astype("datetime64[M]").astype(str)
    for item, month, sales in zip(kept, months, seen.sales, strict=True):
        members = [] if item == "*" else item.strip("{}").split(";")
        for one in members:
            rows[one] += 1 / len(members)
            sold[one, month] += sales / len(members)
    true: dict[tuple[str, str], float] = defaultdict(float)
    frame = history.frame
    for item, day, price, pieces in frame.select("item", "day", "price", "quantity").iter_rows():
        true[item, str(day)[:7]] += price * pieces
    names = history.item_names.to_list()
    unit = original_item_rows(history).sales.sum() / sum(true.values())
    wrong = sum(abs(true[key] * unit - sold[key]) for key in {*true, *sold})
    expected = wrong / (sum(true.values()) * unit)
    assert monthly_sales_error(original_item_rows(history), seen) == pytest.approx(expected)
    counts = Counter(frame["item"].to_list())
    first = sorted(names, key=lambda n: (-counts[n], names.index(n)))[:20]
    second = sorted(names, key=lambda n: (-round(rows[n], 6), names.index(n)))[:20]
    assert top_item_overlap(original_item_rows(history), seen) == len({*first} & {*second}) / 20


def test_the_study_and_its_controls(history) -> None:
    categories = prefix_categories(history.item_names, length=2)
    found = study_categories(history, {"prefix": categories}, k=3, seed=1)
    assert [line.name for line in found] == ["no-categories", "prefix", "random"]
    assert len({line.rfm for line in found}) == 1
    assert found[0].contest_loss == pytest.approx(found[0].honest_loss)
    assert found[1].contest_loss < found[1].honest_loss
    dealt = random_categories(categories, 1)
    assert dealt.sizes() == categories.sizes()
    assert dealt.of != categories.of


@pytest.mark.data
@pytest.mark.long
def test_published_figures(real_data: Path) -> None:
    """RFM .5567 whatever the categories, loss .615 without any."""
    history = tk.read_history(real_data / "pwscup2018" / "T.csv", format="pws2018")
    categories = prefix_categories(history.item_names, length=2)
    plain, coarse, random = study_categories(history, {"prefix": categories}, k=6, seed=1)
    assert plain.contest_loss == pytest.approx(0.615, abs=0.001)
    assert [round(line.rfm, 4) for line in (plain, coarse, random)] == [0.5567] * 3
    assert coarse.honest_loss == pytest.approx(0.6535, abs=0.001)
