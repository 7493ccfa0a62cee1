"""Tests of tokumei.tables.anonymizers.yamaoka."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.anonymizers.yamaoka_unify_swap_delete_helpers import ROWS, made_by, table
from tables.diagnosis.diagnosis_helpers import found_in, multi_row_classes
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.anonymizers.yamaoka import Yamaoka
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.diagnosis.diagnose import diagnose


@given(rows=ROWS, share=st.floats(0, 1), seed=st.integers(0, 99))
def test_yamaoka_deranges_exactly_the_chosen_share(
    rows: list[tuple[int, int, int]], share: float, seed: int
) -> None:
    source = table(rows)
    made = made_by(Yamaoka(share), source, seed, shuffle=False)
    assert made.public.frame.equals(source.frame)
    assert sorted(made.link.tolist()) == list(range(source.rows))
    moved = int((made.link != np.arange(source.rows)).sum())
    chosen = round(share * source.rows)
    assert moved == (chosen if chosen > 1 else 0)  # one row alone has nobody to change with


def test_yamaoka_releases_the_same_rows() -> None:
    source = table([(i % 3, i, 2 * i) for i in range(20)])
    made = made_by(Yamaoka(), source)
    assert Counter(made.public.frame.iter_rows()) == Counter(source.frame.iter_rows())


@pytest.mark.parametrize("method", [Delete, Yamaoka])
@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_impossible_share(method: Any, share: float) -> None:
    with pytest.raises(UsageError, match="share must lie between 0 and 1"):
        method(share)


@pytest.mark.parametrize(
    ("methods", "changed"),
    [
        # Other strengths and options of the same methods.
        (("B",), {"B": Noise(scale=0.01)}),
        (("B",), {"B": Noise(scale=1.0, distribution="normal")}),
        (("B", "G"), {"B": Noise(scale=0.5, distribution="uniform")}),
        (("F", "B"), {"B": Noise(scale=0.5)}),
        (("C",), {"C": Yamaoka(share=0.05)}),
        (("C", "B"), {"C": Yamaoka(share=0.3)}),
        (("C",), {"C": Yamaoka(share=0.004)}),
        (("F",), {"F": Microaggregate(groups="mdav", k=4)}),
        (("A", "F"), {"F": Microaggregate(groups="mdav", k=4)}),
        (("A",), {"A": Mondrian(k=50)}),
        (("H",), {"H": Delete(share=0.5, choose="exposed")}),
        (("D",), {"D": Unify(columns=("head_age_band",), value="*")}),
        (("A", "F", "H"), {}),
        (("D", "G", "B"), {}),
    ],
)
def test_other_strengths_and_triples(methods, changed):
    assert found_in(multi_row_classes(7), methods, 1, **changed) == set(methods)


def test_yamaoka_leaves_attacks_below_a_blind_guess():
    table = multi_row_classes(3)
    release = Yamaoka().anonymize(table, rng=Randomness(1))
    found = diagnose(Comparison.of(table, release), rng=Randomness(1))
    symbols = {e.measure: e.measured for e in found.effects}
    assert symbols["EUC1"] in "◎○"
    assert symbols["U1"] == "-"
