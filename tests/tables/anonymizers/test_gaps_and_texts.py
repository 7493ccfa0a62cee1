"""What methods and models do with missing cells and with texts as sensitive values."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import tokumei as tk
from tables.anonymizers.gaps_and_texts_helpers import SEEDS, by_class, gappy, made
from tokumei.core.errors import InputError, UsageError
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.data.table import Table


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
