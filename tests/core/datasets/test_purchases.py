from __future__ import annotations

import itertools
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.datasets.items import PRICE_STEPS
from tokumei.core.datasets.purchases import QUANTITY_STEPS, _is_repeated_in_visit, sample_purchases
from tokumei.core.errors import UsageError

SCHEMA = {
    "customer": pl.String,
    "day": pl.Date,
    "item": pl.String,
    "price": pl.Float64,
    "quantity": pl.Int64,
    "basket": pl.String,
}


@pytest.fixture(scope="module", params=[1, 2])
def purchases(request: pytest.FixtureRequest) -> pl.DataFrame:
    return sample_purchases(80_000, seed=request.param)[0]


@settings(max_examples=60)
@given(rows=st.integers(1, 300), seed=st.integers(0, 2**64), data=st.data())
def test_every_size_keeps_the_contract(rows: int, seed: int, data: st.DataObject) -> None:
    customers = data.draw(st.none() | st.integers(1, rows))
    items = data.draw(st.none() | st.integers(1, 400))
    frame, goods = sample_purchases(rows, customers=customers, items=items, seed=seed)
    assert frame.schema == SCHEMA
    assert goods.schema == {"item": pl.String, "description": pl.String}
    assert frame.height == rows
    assert customers in (None, frame["customer"].n_unique())
    assert items in (None, goods.height)
    assert goods["item"].is_unique().all()
    assert frame["item"].is_in(goods["item"].implode()).all()
    assert frame.null_count().row(0) == (0,) * 6
    assert frame["day"].is_sorted()
    assert frame["day"].is_between(date(2022, 12, 1), date(2023, 11, 30)).all()
    assert (frame["price"] > 0).all()
    assert frame["price"].equals(frame["price"].round(2))
    assert frame["quantity"].is_between(1, int(QUANTITY_STEPS[-1])).all()
    again = sample_purchases(rows, customers=customers, items=items, seed=seed)
    assert frame.equals(again[0])
    assert goods.equals(again[1])


@pytest.mark.parametrize("rows", [1, 2, 10])
@pytest.mark.parametrize("seed", range(20))
def test_tiny_samples_work(rows: int, seed: int) -> None:
    frame, goods = sample_purchases(rows, seed=seed)
    assert frame.height == rows
    assert 1 <= frame["customer"].n_unique() <= rows
    assert goods.height >= 10


def test_other_seeds_and_no_seed_give_other_purchases() -> None:
    samples = [sample_purchases(50, seed=seed)[0] for seed in (1, 2, None, None)]
    assert not any(a.equals(b) for a, b in itertools.combinations(samples, 2))


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (0, {}, "rows of a sample: at least 1, not 0"),
        (-3, {"customers": 1}, "rows of a sample: at least 1, not -3"),
        (5, {"customers": 0}, "customers of a sample: 1 to 5, not 0"),
        (5, {"customers": 6}, "customers of a sample: 1 to 5, not 6"),
        (5, {"items": 0}, "items of a sample: 1 to 90000, not 0"),
        (5, {"items": 90_001}, "items of a sample: 1 to 90000, not 90001"),
    ],
)
def test_impossible_sizes_are_refused(rows: int, options: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError) as error:
        sample_purchases(rows, **options)
    assert error.value.message.show("en") == message
    assert "使えません" in error.value.message.show("ja")


def test_defaults_scale_with_the_rows() -> None:
    frame, goods = sample_purchases(80_000, seed=1)
    assert frame["customer"].n_unique() == 1000
    assert goods.height == 3200
    small, few = sample_purchases(100, seed=1)
    assert small["customer"].n_unique() == 10
    assert few.height == 113


def test_rows_per_customer_have_a_heavy_tail(purchases: pl.DataFrame) -> None:
    counts = purchases.group_by("customer").len()["len"]
    assert counts.min() == 1
    assert 25 <= counts.median() <= 50
    assert counts.max() > 15 * counts.mean()
    assert counts.top_k(10).sum() > 0.1 * purchases.height


def test_items_are_few_popular_and_many_rare(purchases: pl.DataFrame) -> None:
    counts = purchases.group_by("item").len()["len"].sort(descending=True)
    assert counts.len() > 2700
    assert counts.head(320).sum() > 0.35 * purchases.height
    assert counts.max() < 0.02 * purchases.height
    assert (counts == 1).sum() > 100


def test_a_basket_is_one_customer_on_one_day_with_mostly_distinct_items(
    purchases: pl.DataFrame,
) -> None:
    baskets = purchases.group_by("basket").agg(
        pl.col("customer").n_unique(), pl.col("day").n_unique(), pl.col("item").n_unique(), pl.len()
    )
    assert baskets["customer"].max() == 1
    assert baskets["day"].max() == 1
    assert 5 < baskets["len"].median() < 25
    assert baskets["item"].sum() > 0.98 * purchases.height


def test_baskets_follow_each_other_in_number_and_in_one_piece(purchases: pl.DataFrame) -> None:
    numbers = purchases["basket"].cast(pl.Int64)
    assert numbers.is_sorted()
    assert (purchases["basket"].str.len_chars() == 6).all()


def test_november_is_the_peak_and_saturdays_are_free(purchases: pl.DataFrame) -> None:
    months = purchases["day"].dt.month().value_counts(sort=True)
    assert months["day"][0] == 11
    assert months["count"][0] > 1.5 * purchases.height / 12
    days = purchases["day"].dt.weekday().value_counts(sort=True)
    assert days["day"][0] in (3, 4)
    assert 6 not in days["day"]


def test_new_items_appear_all_year(purchases: pl.DataFrame) -> None:
    common = purchases.filter(pl.len().over("item") >= 30)
    first = common.group_by("item").agg(pl.col("day").min())["day"]
    assert 0.1 < (first > date(2023, 3, 1)).mean() < 0.4


def test_an_item_has_one_price_on_the_steps_and_discounts_for_many(
    purchases: pl.DataFrame,
) -> None:
    few = purchases.filter(pl.col("quantity") < 24)
    assert few.group_by("item").agg(pl.col("price").n_unique())["price"].max() == 1
    assert few["price"].is_in(PRICE_STEPS.tolist()).all()
    base = few.select("item", pl.col("price").alias("base")).unique()
    ratio = purchases.join(base, on="item").select(pl.col("price") / pl.col("base")).to_series()
    assert 0.02 < (ratio < 0.99).mean() < 0.2
    assert ratio.max() == 1


def test_prices_and_quantities_have_heavy_tails(purchases: pl.DataFrame) -> None:
    price, quantity = purchases["price"], purchases["quantity"]
    assert 1.25 <= price.median() <= 2.95
    assert price.max() > 20 * price.median()
    assert 3 <= quantity.median() <= 8
    assert quantity.max() >= 1000
    typical = [1, 2, 3, 4, 6, 12]
    assert sorted(quantity.value_counts(sort=True)["quantity"][:6].to_list()) == typical


def test_customers_differ_in_how_much_they_take(purchases: pl.DataFrame) -> None:
    means = (
        purchases.filter(pl.len().over("customer") >= 30)
        .group_by("customer")
        .agg(pl.col("quantity").log().mean())["quantity"]
    )
    chance = purchases["quantity"].log().std() / 30**0.5
    assert means.std() > 2 * chance


def test_a_history_is_recognized_by_its_taste(purchases: pl.DataFrame) -> None:
    """Of 150 people with two halves each, most are most like themselves."""
    halves = _halves(purchases, 150)
    alike = np.array([[_overlap(a, b) for _, b in halves] for a, _ in halves])
    own = np.diag(alike)
    others = alike[~np.eye(len(alike), dtype=bool)]
    assert own.mean() > 3 * others.mean()
    assert (alike.argmax(axis=1) == np.arange(len(alike))).mean() > 0.8


def test_repeated_agrees_with_a_plain_loop() -> None:
    draw = np.random.default_rng(5)
    visit, item = draw.integers(0, 6, 200, dtype=np.int32), draw.integers(0, 9, 200)
    seen: set[tuple[int, int]] = set()
    expected = []
    for pair in zip(visit.tolist(), item.tolist(), strict=True):
        expected.append(pair in seen)
        seen.add(pair)
    assert _is_repeated_in_visit(visit, item).tolist() == expected


def _halves(purchases: pl.DataFrame, people: int) -> list[tuple[set[str], set[str]]]:
    """The items of the odd and of the even baskets, of customers with ten baskets or more."""
    numbered = purchases.with_columns(
        pl.col("basket").rank("dense").over("customer").alias("number")
    ).filter(pl.col("number").max().over("customer") >= 10)
    odd = pl.col("number") % 2 == 1
    return [
        (set(own.filter(odd)["item"]), set(own.filter(~odd)["item"]))
        for own in numbered.partition_by("customer", maintain_order=True)[:people]
    ]


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b)
