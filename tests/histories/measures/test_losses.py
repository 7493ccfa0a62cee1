"""Tests of tokumei.histories.measures.losses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from histories.measures.activity_helpers import class_of
from support.released_histories import ITEMS, Row, Small, history, releases, row_lists, smalls
from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.measures.losses import CustomersKept, honest_loss, rows_by_activity
from tokumei.histories.measures.protocol import HistoryCase, history_loss


@given(small=smalls())
def test_rows_by_activity_counts_rows_customer_by_customer(small: Small):
    counts = {name: sum(row[0] == name for row in small.rows) for name in small.customers}
    wanted: dict[int, list[int]] = {}
    for name, count in counts.items():
        line = wanted.setdefault(class_of(list(counts.values()), count, 10), [0, 0, 0])
        pairs = zip(small.rows, small.released, strict=True)
        kept = sum(row[0] == name and new is not None for row, new in pairs)
        line[:] = [line[0] + 1, line[1] + count, line[2] + kept]
    found = rows_by_activity(small.case)
    assert found.rows() == [(d, c, r, kept / r) for d, (c, r, kept) in sorted(wanted.items())]


@given(small=smalls())
def test_customers_kept_are_those_with_a_row(small: Small):
    kept = [name for name in small.customers if small.pseudonym(name) is not None]
    score = CustomersKept().score(small.case)
    assert score.value == pytest.approx(len(kept) / len(small.customers))
    assert score.sample == len(small.customers)


def test_rank_and_match_cuts_the_most_active_and_drops_the_last():
    rows = [(f"c{n}", 0, "i1", 100, 1) for n in range(1, 6) for _ in range(2**n)]
    original = history(rows)
    case = HistoryCase(original, RankMatch(k=2).anonymize(original, rng=Randomness(1)).rows)
    assert CustomersKept().score(case).value == 0.8
    assert rows_by_activity(case)["kept"].to_list() == [0.0, 1.0, 0.5, 1.0, 0.5]


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
