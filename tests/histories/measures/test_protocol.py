"""Tests of tokumei.histories.measures.protocol."""

from __future__ import annotations

import dataclasses
import math
import statistics

import numpy as np
import pytest
from hypothesis import given

from support.histories import contest_history
from support.released_histories import FIELDS, Small, history, smalls, unchanged
from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.measures.protocol import HistoryCase, history_loss


def test_a_case_needs_the_same_rows_and_decimals():
    rows = [("c1", 0, "i1", 100, 1), ("c2", 0, "i1", 100, 1)]
    case = Small(rows, unchanged(rows)).case
    with pytest.raises(InputError, match="1 rows and its release 2"):
        HistoryCase(history(rows[:1]), case.released)
    nobody = dataclasses.replace(case.released, person=case.released.person[:0])
    with pytest.raises(InputError, match="at least one"):
        HistoryCase(case.original.take(np.array([], dtype=np.int64)), nobody)
    finer = history([("c1", 0, "i1", 0.1, 1), ("c2", 0, "i1", 100, 1)])
    with pytest.raises(InputError, match="3 decimals in the original but 2"):
        HistoryCase(finer, case.released)
    assert "c1" not in repr(case)


PUBLISHED = {2: 0.348, 3: 0.472, 6: 0.615, 10: 0.718, 20: 0.833}


def span_error(x: float, cell: tuple[int, int] | None, sd: float) -> float:
    if cell is None:
        return 1.0
    low, high = cell
    top = (low - x) ** 2 + (high - x) ** 2 + (high - low)
    if top == 0:
        return 0.0
    return math.inf if sd == 0 else top / (2 * sd * (high - low + 1))


def item_error(item: str, cell: tuple[str, ...] | None) -> float:
    return 1.0 if cell is None or item not in cell else 1 - 1 / len(cell)


def reference(small: Small) -> dict[str, float]:
    errors: dict[str, list[float]] = {name: [] for name in FIELDS}
    for row, new in zip(small.rows, small.released, strict=True):
        for name, place in FIELDS.items():
            sd = 0.0 if name == "item" else statistics.pstdev([r[place] for r in small.rows])
            if new is None:
                errors[name].append(1.0)
            elif name == "item":
                errors[name].append(item_error(row[place], new[place]))
            else:
                errors[name].append(span_error(row[place], new[place], sd))
    means = {name: sum(cells) / len(cells) for name, cells in errors.items()}
    kept = len(small.left) / len(small.rows)
    return {"loss": sum(means.values()) / 4, **means, "rows_kept": kept}


@given(small=smalls())
def test_loss_is_that_of_the_formula(small: Small):
    case = small.case
    found = history_loss(case.original, case.released).as_json()
    assert found == pytest.approx(reference(small), rel=1e-9)


def test_a_worked_example():
    """One group of two rows: days 0 and 10 (sd 5), price 100 and 300 (sd 100), pieces 1 and 3."""
    rows = [("c1", 0, "i1", 100, 1), ("c2", 10, "i2", 300, 3)]
    cells = ((0, 10), ("i1", "i2"), (100, 300), (1, 3))
    case = Small(rows, [("11", *cells), ("12", *cells)]).case
    found = history_loss(case.original, case.released)
    assert found.parts["day"] == pytest.approx((100 + 10) / (2 * 5 * 11))
    assert found.parts["item"] == 0.5
    assert found.parts["price"] == pytest.approx((200**2 + 200) / (2 * 100 * 201))
    assert found.parts["quantity"] == pytest.approx((4 + 2) / (2 * 1 * 3))
    assert found.loss == pytest.approx(sum(found.parts.values()) / 4)


def test_one_row_without_spread_costs_nothing_when_plain_and_everything_when_deleted():
    rows = [("c1", 3, "i1", 125, 2)]
    case = Small(rows, unchanged(rows)).case
    assert history_loss(case.original, case.released).loss == 0
    case = Small(rows, [None]).case
    assert history_loss(case.original, case.released).loss == 1
    case = Small(rows, [("11", None, None, None, None)]).case
    assert history_loss(case.original, case.released).as_json()["loss"] == 1


@pytest.mark.data
@pytest.mark.parametrize("k", PUBLISHED)
def test_the_papers_losses_are_reproduced(real_data, k: int):
    original = contest_history(real_data)
    release = RankMatch(k=k).anonymize(original, rng=Randomness(1))
    assert history_loss(original, release.rows).loss == pytest.approx(PUBLISHED[k], abs=0.001)
