"""Diagnosis names the right methods on every single method and every ordered pair, five seeds."""

import itertools

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from support.paper import B, D, F, G, X
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.anonymizers.yamaoka import Yamaoka
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.diagnosis.diagnose import diagnose, find_evidence
from tokumei.tables.diagnosis.effect_symbols import (
    EXPECTED_SYMBOLS,
    Thresholds,
    expected_symbol,
    paper_symbol,
)

METHODS = {
    "A": Mondrian(k=5),
    "B": Noise(scale=0.1),
    "C": Yamaoka(),
    "D": Unify(columns=("head_age_band",)),
    "E": Unify(columns=("earners",)),
    "F": Microaggregate(),
    "G": Swap(),
    "H": Delete(),
}
SINGLES = [(method,) for method in METHODS]
PAIRS = list(itertools.permutations(METHODS, 2))


def multi_row_classes(seed, rows=1000):
    """Generated households whose QI classes have several rows."""
    full = sample_table(rows, seed=seed)
    qi = [*full.schema.qi[:6], "head_age_band"]
    table = Table.of(full, qi=qi, sa=full.schema.sa)
    return table.drop(table.schema.others)


def found_in(table, methods, seed, **changed):
    chosen = tuple({**METHODS, **changed}[method] for method in methods)
    release = Pipeline(chosen).anonymize(table, rng=Randomness(seed))
    case = Comparison.of(table, release, cross=tuple(table.schema.qi[:6]))
    return {evidence.method for evidence in find_evidence(case)}


def wanted(methods):
    # Averages inside a class are the same before and after a swap: F with G is F.
    return {"F"} if set(methods) == {"F", "G"} else set(methods)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("first", [None, *METHODS])
def test_every_single_method_and_pair(first, seed):
    table = multi_row_classes(seed)
    cases = [()] if first is None else [(first,), *(pair for pair in PAIRS if pair[0] == first)]
    for methods in cases:
        assert found_in(table, methods, seed + 100) == wanted(methods), methods


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


@pytest.mark.parametrize(
    ("released", "methods"),
    [(X, []), (B, ["B"]), (D, ["D"]), (F, ["F"])],
)
def test_the_papers_tiny_tables(released, methods):
    # Four rows; QI3 is outside a cross table of QI1, QI2.
    case = Comparison(X, released, np.arange(4), ("QI1", "QI2"))
    assert diagnose(case, rng=Randomness(1)).methods == methods


def test_two_sensitive_columns_make_a_swap_of_one_look_like_what_it_is():
    case = Comparison(X, G, np.arange(4), ())
    assert [e.method for e in find_evidence(case)] == ["G"]


def test_evidence_speaks_both_languages_and_has_shares():
    table = multi_row_classes(1)
    release = Pipeline((METHODS["A"], METHODS["H"])).anonymize(table, rng=Randomness(1))
    found = diagnose(Comparison.of(table, release), rng=Randomness(1)).as_json()
    assert found["methods"] == ["A", "H"]
    for item in found["evidence"]:
        assert item["evidence_en"] != item["evidence_ja"]
        assert 0 < item["share"] <= 1
    assert [row["measure"] for row in found["table"]] == list(EXPECTED_SYMBOLS)


@pytest.mark.parametrize(
    ("measure", "methods", "symbol"),
    [
        # Table 10 of the paper, column by column; combined methods take the stronger effect.
        ("U5", ["C"], "×"),
        ("U2", ["A"], "×"),
        ("U2", ["B"], "△"),
        ("U4", [], "-"),
        ("S1", ["A", "F"], "○"),
        ("U4", ["A", "F"], "×"),
        ("E3", ["A", "F"], "○"),
        ("EUC1", ["B"], "×"),
        ("U6", ["H"], "×"),
    ],
)
def test_expected_symbols(measure, methods, symbol):
    assert expected_symbol(measure, methods) == symbol


def test_measured_symbols_follow_the_thresholds():
    table = multi_row_classes(2)
    release = Noise(scale=0.1).anonymize(table, rng=Randomness(1))
    case = Comparison.of(table, release)
    usual = {e.measure: e.measured for e in diagnose(case, rng=Randomness(1)).effects}
    assert usual["U6"] == "-"
    assert usual["U5"] == "△"
    assert usual["S1"] == "×"
    assert usual["EUC1"] == "×"
    strict = diagnose(case, rng=Randomness(1), limits=Thresholds(harm=1e-9, times=1e9))
    symbols = {e.measure: e.measured for e in strict.effects}
    assert symbols["U5"] == "×"
    assert symbols["EUC1"] == "△"


@pytest.mark.parametrize(
    ("measure", "value", "symbol"),
    [
        ("E1", 0.0, "◎"),
        ("E1", 0.0099, "○"),
        ("EUC1", 0.01, "△"),
        ("EUC1", 0.1, "×"),
        ("U3", 1.85, "△"),
        ("U3", 2.97, "×"),
        ("U4", 0.09, "△"),
        ("U4", 0.11, "×"),
        ("S1", 3, "△"),
        ("S2", 13.68, "○"),
    ],
)
def test_the_papers_own_limits(measure, value, symbol):
    assert paper_symbol(measure, value) == symbol


def test_yamaoka_leaves_attacks_below_a_blind_guess():
    table = multi_row_classes(3)
    release = Yamaoka().anonymize(table, rng=Randomness(1))
    found = diagnose(Comparison.of(table, release), rng=Randomness(1))
    symbols = {e.measure: e.measured for e in found.effects}
    assert symbols["EUC1"] in "◎○"
    assert symbols["U1"] == "-"


def test_rows_in_another_order_prove_no_permuted_link_where_nobody_gave_one():
    table = multi_row_classes(3)
    order = np.random.default_rng(1).permutation(table.rows)
    shuffled = table.frame[order.tolist()]
    found = tk.diagnose(table, shuffled, seed=1)
    assert found.methods == []
    assert found.untold == ("C", "U5", "E1", "E2", "E3", "E4", "EUC1")
    assert [row["measure"] for row in found.as_json()["table"]] == [
        name for name in EXPECTED_SYMBOLS if name not in found.untold
    ]
    linked = tk.diagnose(table, shuffled, link=order, seed=1)
    assert (linked.methods, linked.untold) == ([], ())
    wrong = tk.diagnose(table, shuffled, link=np.arange(table.rows), seed=1)
    assert (wrong.methods, wrong.untold) == (["C"], ())


def test_gaps_that_only_moved_with_their_rows_are_not_new() -> None:
    cells = [float(n) if n % 5 else None for n in range(60)]
    frame = pl.DataFrame({"q": [n % 4 for n in range(60)], "s": cells})
    table = tk.Table.of(frame, qi=["q"], sa=["s"])
    order = np.random.default_rng(1).permutation(60)
    found = tk.diagnose(table, frame[order.tolist()], seed=1)
    assert found.untold
    assert [(one.before, one.after, one.gained, one.lost) for one in found.gaps] == [(12, 12, 0, 0)]
