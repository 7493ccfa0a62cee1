"""Tests of tokumei.apps.contest.spec.edition."""

from datetime import datetime, timedelta

import polars as pl
import pytest

from tokumei.apps.contest.judge.contest_judge import load_judge
from tokumei.apps.contest.spec.edition import write_edition, write_retail_contest
from tokumei.apps.contest.spec.folder import read_contest_folder


@pytest.fixture(scope="module")
def retail(tmp_path_factory):
    """A small file in the form of Online Retail: sixty customers, a purchase in every month."""
    path = tmp_path_factory.mktemp("retail") / "retail.parquet"
    rows = [
        {
            "InvoiceNo": f"{536365 + 12 * customer + month}",
            "StockCode": f"2{customer % 7}{month:03d}",
            "Description": "MUG",
            "Quantity": 1 + month,
            "InvoiceDate": datetime(2010, 12, 1, 8, 26) + timedelta(days=30 * month),
            "UnitPrice": 1.25,
            "CustomerID": float(12346 + customer),
            "Country": ("United Kingdom", "France")[customer % 2],
        }
        for customer in range(60)
        for month in range(12)
    ]
    pl.DataFrame(rows).write_parquet(path)
    return path


def test_both_rounds_have_customers_of_their_own(tmp_path, retail):
    paths = write_edition(tmp_path / "e", retail=retail, customers=24, seed=1, slug="spring")
    contests = [read_contest_folder(path) for path in paths]
    assert [contest.slug for contest in contests] == ["spring-preliminary", "spring-final"]
    assert contests[1].phases[0].starts == contests[0].phases[-1].ends
    first, second = (
        set(pl.read_csv(path.parent / "M.csv", has_header=False).to_series(0)) for path in paths
    )
    assert (len(first), len(second), first & second) == (24, 24, set())
    assert load_judge(contests[0], paths[0].parent).guess_files()


def test_one_contest_of_drawn_customers(tmp_path, retail):
    path = write_retail_contest(tmp_path / "c", retail=retail, customers=20, seed=2)
    master = pl.read_csv(path.parent / "M.csv", has_header=False)
    assert master.height == 20
    assert master.group_by(master.columns[1:]).len()["len"].min() >= 2
    assert load_judge(read_contest_folder(path), path.parent).guess_files()
