"""Tests of tokumei.tables.evaluation_suite."""

from __future__ import annotations

import itertools
import math

import numpy as np
import polars as pl
import pytest

from support.paper import B, D, F, X, against_x
from tables.attack_suite_helpers import DEFAULTS, rate
from tables.attackers.paper_attacks_helpers import RNG
from tables.attackers.suite_of_attacks_helpers import euc2
from tables.measures.measures_reference_helpers import _one_column
from tokumei.core.attack_rates import wilson
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation_suite import (
    CurveAxis,
    attack_curve,
    attack_suite,
    find_strongest_attack,
    measure_suite,
    resolve_measure_names,
)
from tokumei.tables.registry import measures, resolve_attack_names

METHODS = {
    "mondrian": Mondrian(5),
    "noise": Noise(0.5),
    "swap": Swap(),
    "mondrian, noise": Pipeline((Mondrian(5), Noise(0.5))),
    "mondrian, swap": Pipeline((Mondrian(5), Swap())),
}


@pytest.mark.parametrize("name", METHODS)
def test_it_finds_as_many_as_linkage_with_all_roles_named_and_needs_none(name: str) -> None:
    people = sample_table(400, seed=3)
    release = METHODS[name].anonymize(people, rng=Randomness(1))
    named = Comparison.of(people, release)
    bare = Comparison(Table.of(people, qi=people.schema.qi[:2]), release.public, release.link)
    linkage = attack_suite(named, ["linkage"], rng=Randomness(2), expected=True)["linkage"]
    found = attack_suite(bare, ["everything"], rng=Randomness(2), expected=True)["everything"]
    assert found.rate >= linkage.rate - 0.02


@pytest.mark.parametrize(
    ("released", "attack", "rate"),
    [
        (B, "E1", 0.5),  # two rows share each vector
        (B, "E2", 1.0),
        (B, "E3", 1.0),  # X sorts 1,3,2,4 (sums 200,500,600,900), so does B (200,490,610,910)
        (B, "E4", 1.0),
        (B, "EUC1", 1.0),
        (B, "EUC2", 1.0),
        (D, "E1", 0.375),  # rows 1, 2: one of two; rows 3, 4 match nobody: one of four
        (D, "E2", 1.0),
        (D, "EUC1", 1.0),  # rows 3, 4 answer their own numbers
        (D, "EUC2", 1.0),
        (F, "E1", 0.5),
        (F, "E2", 0.5),  # 150 is as far from 100 as from 200
        (F, "EUC1", 0.5),
        (F, "EUC2", 0.5),
        (F, "E3", 0.5),  # in the file's order; by chance it is .25, see below
    ],
)
def test_expected_rates_in_file_order(released: Table, attack: str, rate: float) -> None:
    found = attack_suite(against_x(released), [attack], rng=RNG, as_is=True, expected=True)
    assert found[attack].rate == rate


def test_sort_on_f_over_all_tie_orders() -> None:
    """F's sums are 400,400,700,700; X's 200,600,500,900.

    The page's E3 = .5 on F holds only when equal sums keep the file's order, as R's stable sort
    did: rows 1 and 4 are then right. Over all four tie orders the mean is .25: rows 1 and 2 of F
    get ranks 1 and 2, which are rows 1 and 3 of X, so only half of the time row 1 is right; the
    same for row 4.
    """
    ranks_of_x = [0, 2, 1, 3]  # rows of X by sum
    hits = []
    for low, high in itertools.product(itertools.permutations([0, 1]), repeat=2):
        ranks_of_f = [*low, *(2 + row for row in high)]
        hits.append(sum(f == x for f, x in zip(ranks_of_f, ranks_of_x, strict=True)) / 4)
    assert math.fsum(hits) / len(hits) == 0.25
    by_chance = attack_suite(against_x(F), ["E3"], rng=RNG, expected=True)
    assert by_chance["E3"].rate == 0.25
    given_ties = {"E3": {"ties": "random"}}
    asked = attack_suite(
        against_x(F), ["E3"], rng=RNG, as_is=True, expected=True, params=given_ties
    )
    assert asked["E3"].rate == 0.25


def test_euc1_lives_on_row_order_and_the_harness_takes_it_away() -> None:
    """Own row numbers as answers are right in an unshuffled file, and say nothing otherwise."""
    people = sample_table(1000, seed=1)
    kept = Mondrian(5).anonymize(people, rng=Randomness(1), shuffle=False)
    case = Comparison.of(people, kept)
    in_order = attack_suite(case, ["EUC1"], rng=Randomness(2), as_is=True)["EUC1"]
    shuffled = attack_suite(case, ["EUC1"], rng=Randomness(2))["EUC1"]
    assert in_order.rate > 0.8
    assert shuffled.rate < 0.05
    # A release shuffled by the anonymizer needs no harness.
    public = Comparison.of(people, Mondrian(5).anonymize(people, rng=Randomness(1)))
    assert attack_suite(public, ["EUC1"], rng=Randomness(2), as_is=True)["EUC1"].rate < 0.05


def test_euc2_does_not_live_on_row_order() -> None:
    people = sample_table(500, seed=2)
    case = Comparison.of(people, Noise(0.5).anonymize(people, rng=Randomness(1), shuffle=False))
    rates = [
        attack_suite(case, ["EUC2"], rng=Randomness(2), as_is=as_is, expected=True)["EUC2"].rate
        for as_is in (True, False)
    ]
    assert rates[0] == pytest.approx(rates[1])


def test_reading_generalized_cells_pays() -> None:
    """After Mondrian hardly a QI vector matches as text; the aware attacker uses the cells."""
    people = sample_table(1000, seed=3)
    k_anonymous = Comparison.of(people, Mondrian(4).anonymize(people, rng=Randomness(1)))
    rates = attack_suite(k_anonymous, ["E1", "linkage"], rng=Randomness(2))
    assert rates["E1"].rate < 0.02
    assert rates["linkage"].rate == 1.0  # Mondrian leaves the SA alone
    noisy = Pipeline((Mondrian(4), Noise(0.6))).anonymize(people, rng=Randomness(1))
    case = Comparison.of(people, noisy)
    blind, aware = (euc2(case, standardize=True, aware=aware) for aware in (False, True))
    assert aware > 1.5 * blind


def test_linkage_ignores_unified_columns() -> None:
    people = sample_table(500, seed=4)
    columns = tuple(people.schema.qi)
    case = Comparison.of(people, Unify(columns).anonymize(people, rng=Randomness(1)))
    assert attack_suite(case, ["linkage"], rng=Randomness(2))["linkage"].rate == 1.0


def test_the_same_seed_gives_the_same_rates() -> None:
    people = sample_table(300, seed=5)
    case = Comparison.of(people, Noise(1.0).anonymize(people, rng=Randomness(1)))
    first, again, other = (attack_suite(case, rng=Randomness(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_attacks_do_not_depend_on_the_hidden_link() -> None:
    """Another truth changes the score, never the answers."""
    people = sample_table(300, seed=6)
    release = Noise(0.3).anonymize(people, rng=Randomness(1))
    turned = Comparison(people, release.public, np.roll(release.link, 1))
    honest = Comparison.of(people, release)
    for name, honest_rate in attack_suite(honest, rng=Randomness(2)).items():
        other = attack_suite(turned, [name], rng=Randomness(2))[name]
        assert other.answered == honest_rate.answered
        assert other.rate <= honest_rate.rate


@pytest.mark.filterwarnings("error")
def test_a_fully_suppressed_column_has_figures_and_no_warnings() -> None:
    case = _one_column(pl.Series([1, 2, 6]), pl.Series(["*", "*", "*"]))
    params = {"population_uniques": {"population": 10}}
    names = resolve_measure_names(["all"], params)
    assert set(measures.names()) - set(names) == {"classification", "regression"}
    found = {name: score.value for name, score in measure_suite(case, names, params=params).items()}
    assert found["U1"] == found["U2"] == 3  # a missing mean counts as 0, as in the cross table
    assert found["U5"] == 1
    assert all(math.isfinite(value) for value in found.values())


def test_all_attacks_run_by_default_with_the_blind_guess_beside() -> None:
    found = attack_suite(against_x(B), rng=Randomness(1))
    assert list(found) == resolve_attack_names()
    assert {one.baseline for one in found.values()} == {1 / X.rows}
    assert {one.released for one in found.values()} == {X.rows}


def test_the_strongest_is_the_maximum_with_a_wider_interval() -> None:
    rates = {"E1": rate(5), "EUC2": rate(30), "E3": rate(12)}
    best = find_strongest_attack(rates)
    assert (best.attack, best.rate, best.baseline) == ("EUC2", 0.3, 1 / 200)
    assert best.low < rates["EUC2"].low
    assert best.high > rates["EUC2"].high
    # Bonferroni: three attacks share the 5 %
    assert (best.low, best.high) == wilson(30, 100, 1 - 0.05 / 3)


def test_one_attack_alone_keeps_its_interval() -> None:
    best = find_strongest_attack({"E1": rate(5)})
    assert (best.low, best.high) == pytest.approx((rate(5).low, rate(5).high))


def test_unknown_attack_and_measure() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'EUC2'"):
        attack_suite(against_x(B), ["EUCC2"], rng=Randomness(1))
    with pytest.raises(UnknownNameError, match="unknown measure 'U9'"):
        measure_suite(against_x(B), ["U9"])


def test_measures_by_default_and_with_parameters() -> None:
    found = measure_suite(against_x(B), params={"c_avg": {"k": 1}})
    assert list(found) == DEFAULTS
    assert found["c_avg"].value == 2


def test_measures_on_request_run_when_named_once_each() -> None:
    found = measure_suite(against_x(B), ["sample_uniques", "default", "S1", "ncp"])
    assert list(found) == ["sample_uniques", *DEFAULTS, "ncp"]


def test_all_measures_are_those_that_the_parameters_suffice_for() -> None:
    without = resolve_measure_names(["all"])
    assert set(measures.names()) - set(without) == {
        "classification",
        "population_uniques",
        "regression",
    }
    given = {
        "classification": {"target": "QI1"},
        "population_uniques": {"population": 100},
        "regression": {"model": "SA1 ~ QI1"},
    }
    assert resolve_measure_names(["all"], given) == measures.names()


def test_a_measure_named_without_its_parameter_says_so() -> None:
    with pytest.raises(UsageError, match="classification: parameter 'target' is needed"):
        measure_suite(against_x(B), ["classification"])


def test_a_foreign_measure_runs_by_default_unless_it_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measures, "_added", {})
    measures.add("quick", type("Quick", (), {}))
    measures.add("slow", type("Slow", (), {"on_request": True}))
    assert resolve_measure_names() == [*DEFAULTS, "quick"]


PEOPLE = sample_table(120, seed=1)


CASE = Comparison.of(PEOPLE, Noise(0.3).anonymize(PEOPLE, rng=Randomness(1)))


def expected(case: Comparison, attack: str) -> float:
    return attack_suite(case, [attack], rng=Randomness(9), expected=True)[attack].rate


@pytest.mark.parametrize(
    ("by", "used"),
    [
        ("qi", list(range(1, 14))),
        ("sa", list(range(1, 13))),
        ("rows", [12, 24, 36, 48, 60, 72, 84, 96, 108, 120]),
    ],
)
def test_steps_end_with_the_whole_case(by: CurveAxis, used: list[int]) -> None:
    points = attack_curve(CASE, by, ["E1", "EUC2"], rng=Randomness(2))
    assert [point.used for point in points] == [u for u in used for _ in range(2)]
    assert [point.attack for point in points[-2:]] == ["E1", "EUC2"]
    for point in points[-2:]:
        assert point.rate == pytest.approx(expected(CASE, point.attack))
    assert all(0 <= p.low <= p.rate <= p.high <= 1 and p.seconds >= 0 for p in points)
    assert points[0].as_json()["by"] == by


def test_fewer_columns_are_the_first_ones() -> None:
    by_qi = attack_curve(CASE, "qi", ["E1"], rng=Randomness(2))[2]
    by_sa = attack_curve(CASE, "sa", ["EUC2"], rng=Randomness(2))[3]
    qi = Table.of(PEOPLE, qi=PEOPLE.schema.qi[:3], sa=PEOPLE.schema.sa)
    sa = Table.of(PEOPLE, qi=PEOPLE.schema.qi, sa=PEOPLE.schema.sa[:4])
    for point, original, attack in ((by_qi, qi, "E1"), (by_sa, sa, "EUC2")):
        case = Comparison(original, CASE.released, CASE.link)
        assert point.rate == pytest.approx(expected(case, attack))


def test_fewer_rows_are_fewer_people_on_both_sides() -> None:
    points = attack_curve(CASE, "rows", ["E1"], rng=Randomness(2))
    assert [round(1 / point.baseline) for point in points] == [p.used for p in points]
    # the same seed takes the same people
    again = attack_curve(CASE, "rows", ["E1"], rng=Randomness(2))
    assert np.allclose([p.rate for p in points], [p.rate for p in again])
