"""Tests of tokumei.tables.anonymizers.delete_rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.anonymizers.gaps_and_texts_helpers import made
from tables.anonymizers.releases_helpers import PEOPLE
from tables.anonymizers.yamaoka_unify_swap_delete_helpers import ROWS, made_by, table
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.anonymizers.yamaoka import Yamaoka
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table


def test_the_most_exposed_rows_go_first_whatever_is_missing() -> None:
    frame = pl.DataFrame(
        {"q": ["x"] * 6, "pay": [1, 2, None, 2, 1, 900], "ill": ["flu", None, "a", "b", "c", "d"]}
    )
    kept = made(Delete(share=1 / 6, choose="exposed"), Table.of(frame, qi=["q"], sa=["pay", "ill"]))
    assert kept.public.frame["pay"].to_list() == [1, 2, None, 2, 1]


@pytest.mark.parametrize(
    ("method", "kept"),
    [
        (Mondrian(5), PEOPLE.schema.sa),
        (Noise(0.2), PEOPLE.schema.qi),
        (Unify(("region",)), [n for n in PEOPLE.schema.names if n != "region"]),
        (Microaggregate(), PEOPLE.schema.qi),
        (Swap(), PEOPLE.schema.qi),
        (Delete(0.2), PEOPLE.schema.names),
        (Pipeline((Delete(0.3), Mondrian(3), Delete(0.3))), PEOPLE.schema.sa),
    ],
    ids=lambda value: value.name if isinstance(value, TableMethod) else "",
)
def test_the_link_leads_back(method: TableMethod, kept: list[str]) -> None:
    """Columns that a method leaves alone equal those of the linked original row."""
    made = method.anonymize(PEOPLE, rng=Randomness(4))
    original = PEOPLE.frame[made.link]
    assert made.public.frame.select(kept).equals(original.select(kept))
    Comparison.of(PEOPLE, made)


def test_a_pipeline_composes_links_and_claims() -> None:
    parts = (Delete(0.5), Yamaoka(1.0), Unify(("region",)), Delete(0.5))
    made = Pipeline(parts).anonymize(PEOPLE, rng=Randomness(6), shuffle=False)
    assert made.public.rows == 75
    assert len(set(made.link.tolist())) == 75
    assert [claim.rule for claim in made.claims] == ["constant"]
    steps = [step["method"] for step in made.manifest()["provenance"]["steps"]]
    assert steps == ["delete", "yamaoka", "unify", "delete"]
    # The values are of one real row, the link says another.
    vectors = {row: i for i, row in enumerate(PEOPLE.frame.drop("region").iter_rows())}
    real = [vectors[row] for row in made.public.frame.drop("region").iter_rows()]
    assert all(a != b for a, b in zip(real, made.link.tolist(), strict=True))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "method", [Delete(share=0.25, choose="exposed"), Microaggregate(k=3, groups="mdav")]
)
def test_numbers_too_large_to_be_squared_are_told_apart(method: TableMethod) -> None:
    """What is done depends on how the numbers lie to each other, not on how large they are."""
    small = pl.DataFrame({"q": list("aabb" * 6), "x": [float(i * i) for i in range(24)]})
    large = small.with_columns(pl.col("x") * 1e300)
    made = [
        method.anonymize(Table.of(frame, qi=["q"], sa=["x"]), rng=Randomness(1))
        for frame in (small, large)
    ]
    by_row = [dict(zip(one.link, one.public.frame["x"], strict=True)) for one in made]
    assert by_row[0].keys() == by_row[1].keys()
    assert {row: x / 1e300 for row, x in by_row[1].items()} == pytest.approx(by_row[0])


@given(rows=ROWS, share=st.floats(0, 1), choose=st.sampled_from(["random", "exposed"]))
def test_delete_drops_the_share_and_keeps_the_rest(
    rows: list[tuple[int, int, int]], share: float, choose: Any
) -> None:
    source = table(rows)
    made = made_by(Delete(share, choose), source)
    left = max(1, source.rows - round(share * source.rows))
    assert made.public.rows == left == len(set(made.link.tolist()))
    assert made.public.frame.equals(source.frame[made.link])


def test_delete_random_takes_everyone_equally_often() -> None:
    source = table([(0, i, 0) for i in range(10)])
    kept = Counter(
        row for seed in range(400) for row in made_by(Delete(0.5), source, seed).link.tolist()
    )
    assert min(kept.values()) > 150
    assert max(kept.values()) < 250


def test_delete_exposed_takes_small_classes_then_outliers() -> None:
    rows = [(0, 5, 5), (0, 5, 5), (0, 6, 6), (0, 99, 5), (1, 5, 5), (1, 8, 8), (2, 5, 5)]
    order = []
    for count in range(1, 7):
        made = made_by(Delete(count / 7, "exposed"), table(rows))
        gone = set(range(7)) - set(made.link.tolist())
        order += [row for row in gone if row not in order]
    # alone in its class; the class of two, its outlier first; then the outlier of the large class
    assert order[:4] == [6, 5, 4, 3]


def test_delete_breaks_ties_of_exposure_by_chance() -> None:
    source = table([(0, 1, 1)] * 6)
    gone = set()
    for seed in range(40):
        made = made_by(Delete(1 / 6, "exposed"), source, seed)
        gone |= set(range(6)) - set(made.link.tolist())
    assert gone == set(range(6))
