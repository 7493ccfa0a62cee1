"""Loss with categories: the contest's figure and the honest one, against loops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.released_histories import ITEMS, Row, Small, history, releases, row_lists, smalls
from tokumei.core.errors import InputError
from tokumei.histories.measures.losses import honest_loss
from tokumei.histories.measures.protocol import history_loss

MAPPINGS = st.fixed_dictionaries({name: st.sampled_from(["a", "b", "c"]) for name in ITEMS})


@st.composite
def replaced(draw: st.DrawFn) -> tuple[list[Row], dict[str, str], Small]:
    """Original rows, categories, and a release of the rows with items replaced."""
    rows, mapping = draw(row_lists()), draw(MAPPINGS)
    return rows, mapping, draw(releases([(*row[:2], mapping[row[2]], *row[3:]) for row in rows]))


def honest_items(rows: list[Row], mapping: dict[str, str], small: Small) -> float:
    bought = {row[2] for row in rows}
    total = 0.0
    for row, new in zip(rows, small.released, strict=True):
        cell = None if new is None else new[2]
        if cell is None or mapping[row[2]] not in cell:
            total += 1
        else:
            held = [sum(mapping[item] == name for item in bought) for name in cell]
            total += 1 - 1 / sum(max(number, 1) for number in held)
    return total / len(rows)


@given(drawn=replaced())
def test_categories_cost_by_the_items_they_hold(drawn: tuple[list[Row], dict[str, str], Small]):
    rows, mapping, small = drawn
    released = small.case.released
    honest = honest_loss(history(rows), released, mapping)
    assert honest.parts["item"] == pytest.approx(honest_items(rows, mapping, small))
    contest = history_loss(history(rows).with_items(mapping), released)
    assert contest == history_loss(small.case.original, released)
    for part in ("day", "price", "quantity", "rows_kept"):
        assert honest.as_json()[part] == contest.as_json()[part]


@given(small=smalls())
def test_items_as_their_own_categories_cost_the_same_either_way(small: Small):
    case, mapping = small.case, {name: name for name in ITEMS}
    plain = history_loss(case.original, case.released)
    assert honest_loss(case.original, case.released, mapping) == plain


def test_one_category_for_all_looks_free_and_is_not():
    rows = [("c1", 0, "i1", 100, 1), ("c2", 0, "i2", 100, 1), ("c3", 0, "i3", 100, 1)]
    mapping = {name: "all" for name in ITEMS}
    cells = ((0, 0), ("all",), (100, 100), (1, 1))
    small = Small([(*row[:2], "all", *row[3:]) for row in rows], [("11", *cells)] * 3)
    released = small.case.released
    assert history_loss(history(rows).with_items(mapping), released).loss == 0
    # Three of the five items were bought: only those count.
    assert honest_loss(history(rows), released, mapping).parts["item"] == pytest.approx(2 / 3)


def test_an_item_without_category_is_named():
    rows = [("c1", 0, "i1", 100, 1)]
    released = Small(rows, [None]).case.released
    with pytest.raises(InputError, match="i1"):
        honest_loss(history(rows), released, {"i2": "a"})
