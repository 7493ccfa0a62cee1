"""rank-match against the paper's loop, its worked example and its Table 9."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.histories import Row, contest_history, history, rows
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.measures.protocol import history_loss

TABLE_9 = {
    2: 0.348, 3: 0.472, 4: 0.542, 5: 0.583, 6: 0.615, 7: 0.642,
    8: 0.680, 10: 0.718, 12: 0.748, 15: 0.780, 17: 0.808, 20: 0.833,
}  # fmt: skip


def paper_loop(data: list[Row], k: int, *, sign: int = -1) -> list[tuple[str, ...] | None]:
    """The algorithm of the paper's section 2.2, one row after the other; None: deleted."""
    mine: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(data):
        mine[row[0]].append(number)
    ranked = sorted(mine, key=lambda customer: -len(mine[customer]))
    for numbers in mine.values():
        numbers.sort(key=lambda n: (sign * data[n][3], sign * data[n][4]))
    made: list[tuple[str, ...] | None] = [None] * len(data)
    for first in range(0, len(ranked) // k * k, k):
        cluster = ranked[first : first + k]
        for rank in range(min(len(mine[customer]) for customer in cluster)):
            together = [mine[customer][rank] for customer in cluster]
            for number in together:
                made[number] = generalized([data[n] for n in together])
    return made


def generalized(together: list[Row]) -> tuple[str, ...]:
    days, items, prices, quantities = ([row[column] for row in together] for column in range(1, 5))
    members = sorted(set(map(str, items)))
    return (
        interval([str(day_text(day)) for day in (min(days), max(days))]),
        members[0] if len(members) == 1 else "{" + ";".join(members) + "}",
        interval([f"{price:g}" for price in (min(prices), max(prices))]),
        interval([str(min(quantities)), str(max(quantities))]),
    )


def day_text(day: date) -> str:
    return f"{day.year}/{day.month}/{day.day}"


def interval(ends: list[str]) -> str:
    return ends[0] if ends[0] == ends[1] else f"[{ends[0]};{ends[1]}]"


@given(data=rows(customers=7, most=40), k=st.integers(2, 4), ascending=st.booleans())
def test_every_row_is_that_of_the_papers_loop(data: list[Row], k: int, ascending: bool) -> None:
    source = history(data)
    if len(source.customers) < k:
        return
    method = RankMatch(k, ascending=ascending)
    text = method.anonymize(source, rng=Randomness(1)).aligned_text()
    expected = [row or ("*",) * 4 for row in paper_loop(data, k, sign=1 if ascending else -1)]
    assert text.select("day", "item", "price", "quantity").rows() == expected


def test_tables_7_and_8_of_the_paper() -> None:
    source = history(
        [
            ("12415", date(2011, 8, 5), "10252", 300.0, 1),
            ("12388", date(2011, 9, 21), "89213", 180.0, 24),
            ("15005", date(2011, 9, 11), "83769", 250.0, 12),
        ]
    )
    text = RankMatch(3).anonymize(source, rng=Randomness(1)).aligned_text()
    row = ("[2011/8/5;2011/9/21]", "{10252;83769;89213}", "[180;300]", "[1;24]")
    assert text.drop("customer").rows() == [row] * 3
    assert text["customer"].n_unique() == 3


@pytest.mark.data
def test_losses_of_table_9(real_data: Path) -> None:
    source = contest_history(real_data)
    found = {}
    for k in range(2, 21):
        release = RankMatch(k).anonymize(source, rng=Randomness(1))
        found[k] = history_loss(source, release.rows).loss
    assert {k: found[k] for k in TABLE_9} == pytest.approx(TABLE_9, abs=0.001)
    assert min(found, key=lambda k: found[k] + 1 / k) == 6


def test_pseudonyms_are_random_digits_and_no_ids() -> None:
    source = history([(str(100000 + n), date(2011, 1, 1), "a", 1.0, 1) for n in range(50)])
    one = RankMatch(2).anonymize(source, rng=Randomness()).rows.pseudonyms
    other = RankMatch(2).anonymize(source, rng=Randomness()).rows.pseudonyms
    assert one.to_list() != other.to_list()
    assert one.str.contains(r"^\d+$").all()
    assert not set(one) & set(source.customers)
    assert one.n_unique() == 50


def test_the_truth_names_only_people_with_released_rows() -> None:
    data = [(f"c{n}", date(2011, 1, 1), "a", 1.0, 1) for n in (1, 1, 2, 2, 3)]
    release = RankMatch(2).anonymize(history(data), rng=Randomness(1))
    assert sorted(release.truth()["customer"]) == ["c1", "c2"]
    assert "c1" not in repr(release)


@pytest.mark.parametrize(("k", "wrong"), [(1, "at least 2"), (3, "there are 2")])
def test_k_must_fit(k: int, wrong: str) -> None:
    data = [(f"c{n}", date(2011, 1, 1), "a", 1.0, 1) for n in (1, 2)]
    with pytest.raises(UsageError, match=wrong):
        RankMatch(k).anonymize(history(data), rng=Randomness(1))


def test_all_rows_identical_stay_plain() -> None:
    data = [(f"c{n}", date(2011, 1, 1), "a", 1.0, 1) for n in (1, 2, 1, 2)]
    release = RankMatch(2).anonymize(history(data), rng=Randomness(1))
    assert set(release.public.drop("customer").rows()) == {("2011/1/1", "a", "1", "1")}
    assert history_loss(history(data), release.rows).loss == 0
    assert np.all(release.rows.kept)


def test_more_items_than_a_cell_can_hold_are_given_up() -> None:
    data = [(f"c{n}", date(2011, 1, 1), f"i{n}", 1.0, 1) for n in range(101)]
    release = RankMatch(101).anonymize(history(data), rng=Randomness(1))
    assert set(release.public["item"]) == {"*"}
