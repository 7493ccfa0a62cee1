"""Tests of tokumei.core.datasets.items."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.datasets.item_vocabulary import CHRISTMAS_PATTERN, COLOUR_WORDS, ITEM_KINDS
from tokumei.core.datasets.items import MAX_ITEMS, PRICE_STEPS, Catalogue, draw_catalogue
from tokumei.core.randomness import Randomness


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return draw_catalogue(3254, Randomness(1))


def test_codes_are_unique_with_five_digits_and_perhaps_a_letter(catalogue: Catalogue) -> None:
    codes = pl.Series(catalogue.code)
    assert codes.is_unique().all()
    assert codes.str.contains("^[1-9][0-9]{4}[A-E]?$").all()
    assert codes.is_sorted()
    assert 0.05 < codes.str.contains("[A-E]$").mean() < 0.25


def test_one_product_in_several_colours_shares_its_digits(catalogue: Catalogue) -> None:
    frame = catalogue.frame().with_columns(
        pl.col("item").str.head(5).alias("product"),
        pl.col("description").str.replace(rf"\b({'|'.join(COLOUR_WORDS)})\b", "").alias("rest"),
        pl.Series("price", catalogue.price),
    )
    products = frame.group_by("product").agg(
        pl.len(), pl.col("rest", "price", "description").n_unique()
    )
    assert products["len"].max() == 5
    assert products["rest"].max() == 1
    assert products["price"].max() == 1
    assert (products["description"] == products["len"]).all()
    lettered = frame.filter(pl.col("item").str.len_chars() == 6)
    assert (lettered.group_by("product").len()["len"] > 1).all()


def test_kinds_have_their_shares(catalogue: Catalogue) -> None:
    counts = dict(pl.Series("kind", catalogue.kind).value_counts().iter_rows())
    assert len(ITEM_KINDS) == 19
    for kind, goods in ITEM_KINDS.items():
        expected = goods.share
        # The colours of one product are of one kind, which widens the spread a little.
        assert counts.get(kind, 0) == pytest.approx(expected, abs=6 * expected**0.5), kind


def test_descriptions_are_capitals_and_end_with_a_thing_of_the_kind(catalogue: Catalogue) -> None:
    for kind, description in zip(catalogue.kind, catalogue.description, strict=True):
        assert description == " ".join(description.split()).upper()
        assert description.endswith(ITEM_KINDS[kind].things)


def test_prices_lie_on_the_steps_and_furniture_costs_more(catalogue: Catalogue) -> None:
    assert np.isin(catalogue.price, PRICE_STEPS).all()
    kinds = np.array(catalogue.kind)
    assert np.median(catalogue.price[kinds == "家具"]) > 4
    assert np.median(catalogue.price[kinds == "文具"]) < 1.3


def test_christmas_goods_come_late(catalogue: Catalogue) -> None:
    late = np.array([CHRISTMAS_PATTERN in text for text in catalogue.description])
    assert late.sum() > 10
    assert (catalogue.first_day[late] >= 250).all()
    assert 0.6 < (catalogue.first_day[~late] == 0).mean() < 0.8


@settings(max_examples=50)
@given(items=st.integers(1, 60), seed=st.integers(0, 2**32))
def test_small_catalogues_are_whole(items: int, seed: int) -> None:
    catalogue = draw_catalogue(items, Randomness(seed))
    assert len(set(catalogue.code)) == len(catalogue.description) == items
    assert (catalogue.first_day == 0).any()
    assert (np.diff(catalogue.thing) >= 0).all()


@settings(max_examples=60)
@given(
    items=st.integers(1, 40),
    seed=st.integers(0, 2**32),
    chances=st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=20),
)
def test_picks_agree_with_walking_along_the_popularity(
    items: int, seed: int, chances: list[float]
) -> None:
    catalogue = draw_catalogue(items, Randomness(seed))
    everything = range(items)
    old = [i for i in everything if catalogue.first_day[i] == 0]
    things = np.random.default_rng(seed).choice(catalogue.thing, len(chances))
    array = np.array(chances)
    picked = (
        catalogue.pick(array),
        catalogue.pick_sold_from_start(array),
        catalogue.pick_of_things(things, array),
    )
    for place, chance in enumerate(chances):
        same = [i for i in everything if catalogue.thing[i] == things[place]]
        for pick, among in zip(picked, (everything, old, same), strict=True):
            assert _is_walked_to(catalogue, list(among), chance, int(pick[place]))


def test_a_full_range_of_codes_is_possible() -> None:
    codes = draw_catalogue(MAX_ITEMS, Randomness(3)).code
    assert len(set(codes)) == MAX_ITEMS


def _is_walked_to(catalogue: Catalogue, among: list[int], chance: float, pick: int) -> bool:
    """Whether `pick` is one of them and its stretch holds the chance, up to rounding."""
    weights = [catalogue.popularity[i] for i in among]
    point, place = chance * sum(weights), among.index(pick)
    room = 1e-9 * sum(catalogue.popularity)
    return bool(sum(weights[:place]) - room <= point <= sum(weights[: place + 1]) + room)
