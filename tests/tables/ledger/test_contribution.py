"""Tests of tokumei.tables.ledger.contribution."""

from collections import Counter

import polars as pl
import pytest
from tests.support.ledgers import new_ledger, record

from ledger.linked_risk_fixtures import adult as adult
from ledger.linked_risk_fixtures import made
from tokumei.tables.ledger.contribution import build_ledger_contribution

pytestmark = [pytest.mark.data, pytest.mark.long]


PAGE = {"below": 0.341, "unique": 0.094, "certain": 0.139}


def test_two_releases_of_the_same_people(adult, tmp_path):
    book, classes = new_ledger(tmp_path), []
    for method in ("local", "mondrian"):
        release = made(adult, method)
        record(book, build_ledger_contribution(release, adult, "id"), method, k=5)
        qi = release.public.schema.qi
        texts = release.public.frame.select(
            pl.concat_str(pl.col(qi).cast(pl.String), separator="|")
        )
        classes.append(dict(zip(release.link.tolist(), texts.to_series(), strict=True)))
    found = book.check()
    sizes = Counter((classes[0][p], classes[1][p]) for p in classes[0])
    below = sum(n for n in sizes.values() if n < 5) / adult.height
    assert found.linked.below == pytest.approx(below)
    assert found.linked.unique == pytest.approx(
        sum(n for n in sizes.values() if n == 1) / adult.height
    )
    for name, share in PAGE.items():
        assert getattr(found.linked, name) == pytest.approx(share, abs=0.03)
    assert found.unlinked.truth_inside == 1.0
    tests = {one.test: one.linked for one in found.linkage}
    assert not tests["row-order"]
