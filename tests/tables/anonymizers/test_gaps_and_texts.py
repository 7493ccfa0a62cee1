"""What methods and models do with missing cells and with texts as sensitive values."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.core.errors import InputError, UsageError
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.data.table import Release, Table
from tokumei.tables.verification.claims import claim_violations

SEEDS = st.integers(0, 2**32)


def gappy(seed: int, rows: int = 30) -> Table:
    chance = random.Random(seed)
    cells: dict[str, list[Any]] = {
        "q": [chance.choice(["x", "y", None]) for _ in range(rows)],
        "pay": [chance.choice([1, 2, 5, 9, None]) for _ in range(rows)],
        "ill": [chance.choice(["flu", "cold", "asthma", None]) for _ in range(rows)],
    }
    dtypes = {"pay": pl.Int64, "ill": pl.String, "q": pl.String}
    return Table.of(pl.DataFrame(cells, schema_overrides=dtypes), qi=["q"], sa=["pay", "ill"])


def made(method: Any, table: Table) -> Release:
    release: Release = method.anonymize(table, rng=Randomness(1), shuffle=False)
    return release


def by_class(frame: pl.DataFrame, name: str) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for key, cell in frame.select("q", name).iter_rows():
        found.setdefault(key, []).append(cell)
    return found


@given(SEEDS)
def test_averages_are_of_what_is_there_and_gaps_stay(seed: int) -> None:
    table = gappy(seed)
    frame = made(Microaggregate(), table).public.frame
    pays, ills = by_class(table.frame, "pay"), by_class(table.frame, "ill")
    for q, pay, ill, old_pay, old_ill in zip(
        *(frame[n] for n in ("q", "pay", "ill")),
        table.frame["pay"],
        table.frame["ill"],
        strict=True,
    ):
        known = [one for one in pays[q] if one is not None]
        assert pay == (None if old_pay is None else pytest.approx(sum(known) / len(known)))
        counts = Counter(one for one in ills[q] if one is not None)
        most = max(counts.values(), default=0)
        mode = min((text for text, n in counts.items() if n == most), default=None)
        assert ill == (None if old_ill is None else mode)


@given(SEEDS)
def test_swapped_gaps_and_texts_move_like_values_inside_their_class(seed: int) -> None:
    table = gappy(seed)
    for method in (Swap(), Swap(groups="near", k=3)):
        frame = made(method, table).public.frame
        for name in ("pay", "ill"):
            before, after = by_class(table.frame, name), by_class(frame, name)
            assert {q: Counter(cells) for q, cells in before.items()} == {
                q: Counter(cells) for q, cells in after.items()
            }


@given(SEEDS)
def test_noise_leaves_gaps_where_they_are(seed: int) -> None:
    table = gappy(seed)
    frame = made(Noise(scale=0.5, columns=("pay",)), table).public.frame
    assert frame["pay"].is_null().equals(table.frame["pay"].is_null())
    assert frame["ill"].equals(table.frame["ill"])
    assert frame["pay"].dtype == pl.Int64


def test_noise_of_a_column_of_gaps_changes_nothing() -> None:
    frame = pl.DataFrame({"q": ["x", "y"], "pay": pl.Series([None, None], dtype=pl.Float64)})
    table = Table.of(frame, qi=["q"], sa=["pay"])
    assert made(Noise(), table).public.frame.equals(frame)


def test_noise_on_text_says_what_to_use_instead() -> None:
    with pytest.raises(InputError, match=r"noise: ill: text.*use swap, microaggregate or general"):
        made(Noise(), gappy(1))


@pytest.mark.parametrize("groups", ["mdav", "near"])
def test_groups_of_similar_rows_claim_the_columns_without_gaps(groups: Any) -> None:
    table = gappy(3, 60)
    whole = table.with_frame(table.frame.with_columns(pl.col("ill").fill_null("flu")))
    release = made(Microaggregate(groups=groups, k=3), whole)
    (claim,) = release.claims
    assert claim.params["columns"] == (["ill"] if groups == "mdav" else ["q", "ill"])
    assert claim_violations(release.public, release.claims) == []
    gaps = table.frame["pay"].is_null()
    assert release.public.frame["pay"].is_null().equals(gaps)


def test_the_most_exposed_rows_go_first_whatever_is_missing() -> None:
    frame = pl.DataFrame(
        {"q": ["x"] * 6, "pay": [1, 2, None, 2, 1, 900], "ill": ["flu", None, "a", "b", "c", "d"]}
    )
    kept = made(Delete(share=1 / 6, choose="exposed"), Table.of(frame, qi=["q"], sa=["pay", "ill"]))
    assert kept.public.frame["pay"].to_list() == [1, 2, None, 2, 1]


@given(SEEDS)
def test_gaps_are_one_category_for_t_closeness(seed: int) -> None:
    table = gappy(seed)
    for name in ("pay", "ill"):
        whole = Counter(table.frame[name].to_list())
        far = []
        for cells in by_class(table.frame, name).values():
            counts = Counter(cells)
            parts = [counts[v] / len(cells) - whole[v] / table.rows for v in whole]
            far.append(sum(map(abs, parts)) / 2)
        for t, holds in ((max(far) + 1e-6, True), (max(far) - 1e-6, False)):
            if 0 <= t < 1:
                claim = Claim("t-closeness", {"t": t, "columns": ["q"], "sensitive": [name]})
                assert (claim_violations(table, [claim]) == []) is holds


def test_an_order_of_numbers_has_no_place_for_gaps() -> None:
    with pytest.raises(UsageError, match="'pay' has missing cells"):
        tk.anonymize(gappy(1), "mondrian", k=2, conditions=["t-ordered=0.5"], sensitive=["pay"])


def test_infinite_numbers_are_refused_and_nothing_else() -> None:
    frame = pl.DataFrame({"q": ["x"] * 3, "pay": ["1", None, "much"]})
    tk.anonymize(Table.of(frame, qi=["q"], sa=["pay"]), "mondrian", k=3, seed=1)
    infinite = frame.with_columns(pay=pl.Series([1.0, np.inf, None]))
    with pytest.raises(InputError, match="must hold finite numbers"):
        tk.anonymize(Table.of(infinite, qi=["q"], sa=["pay"]), "mondrian", k=3, seed=1)


@pytest.mark.parametrize("method", ["flash", "local", "mondrian-hierarchical"])
def test_a_missing_cell_stays_missing_up_to_the_star_of_a_hierarchy(method: str, tmp_path) -> None:
    (tmp_path / "q.csv").write_text("x;u;*\ny;u;*\n", encoding="utf-8")
    table = gappy(5, 60)
    for k in (3, 40):
        made = {"k": k, "hierarchies": str(tmp_path / "{column}.csv"), "seed": 1}
        release = tk.anonymize(table, method, **made)
        for cell, origin in zip(release.public.frame["q"], release.link, strict=True):
            old = table.frame["q"][int(origin)]
            assert cell in ((None, "", "*") if old is None else (old, "u", "*"))
        assert tk.attack(table, release, methods=["linkage"], seed=1)["linkage"].answered == 60
        assert 0 <= tk.measure(table, release, methods=["gcp_sets"])["gcp_sets"].value <= 1
