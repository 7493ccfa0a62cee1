import polars as pl
import pytest

from tokumei.histories.categories.co_purchase import co_purchase_categories
from tokumei.histories.categories.keywords import TAXONOMY, keyword_categories

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def contest(real_data):
    """Customer and item of every transaction of the contest data."""
    rows = pl.read_csv(real_data / "pwscup2018" / "T.csv", has_header=False, infer_schema=False)
    customer, _, item, *_ = rows.columns
    return rows.select(customer=customer, item=pl.col(item).str.to_uppercase())


@pytest.fixture(scope="module")
def items(real_data, contest):
    """The most frequent description of every item of the contest data."""
    sales = pl.scan_parquet(real_data / "online_retail.parquet")
    described = (
        sales.filter(pl.col("Description").is_not_null())
        .select(item=pl.col("StockCode").str.to_uppercase(), description="Description")
        .group_by("item", "description")
        .len()
        .sort("item", "len", "description", descending=[False, True, False])
        .unique("item", keep="first", maintain_order=True)
        .select("item", "description")
        .collect()
    )
    return contest.select("item").unique().join(described, on="item", how="left").sort("item")


def test_at_most_one_item_in_twenty_is_unknown(items):
    found = keyword_categories(items)
    assert len(found.of) == 3254
    assert found.sizes()["不明"] <= 0.05 * 3254
    assert set(found.sizes()) == {category.show("ja") for category in TAXONOMY}


def test_general_goods_are_no_refuge_for_unmatched_items(items):
    found = keyword_categories(items)
    nonsense = items.with_columns(description=pl.lit("XYZZY ") + pl.col("item"))
    assert list(keyword_categories(nonsense).sizes()) == ["不明"]
    assert found.sizes()["雑貨"] < 0.5 * len(found.of)


@pytest.mark.long
def test_customers_group_the_items(contest):
    found = co_purchase_categories(contest)
    assert len(found.sizes()) == 19
    assert len(found.of) == 3254
    assert max(found.sizes().values()) < 0.5 * 3254
