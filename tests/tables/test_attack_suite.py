"""The suite: all attacks by default, the strongest counts, its interval is the widest."""

from __future__ import annotations

import numpy as np
import pytest

from support.paper import B, X, against_x
from tokumei.core.attack_rates import AttackRate, wilson
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation import evaluate
from tokumei.tables.evaluation_suite import (
    attack_suite,
    find_strongest_attack,
    measure_suite,
    resolve_measure_names,
)
from tokumei.tables.registry import measures, resolve_attack_names

DEFAULTS = ["U1", "U2", "U3", "U4", "U5", "U6", "S1", "S2", "dm", "c_avg", "gcp_sets", "rows_kept"]


def rate(hits: float, n: int = 100) -> AttackRate:
    low, high = wilson(hits, n)
    return AttackRate(hits / n, low, high, 1 / 200, hits, n, n, 200)


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


def test_the_widened_interval_covers_the_true_maximum() -> None:
    """Ten attacks, all with the same true rate: the luckiest one alone would be too sure."""
    draws = np.random.default_rng(1).binomial(300, 0.1, size=(600, 10))
    single, joint = 0, 0
    for hits in draws:
        best = find_strongest_attack({str(i): rate(int(h), 300) for i, h in enumerate(hits)})
        low, high = wilson(int(hits.max()), 300)
        single += low <= 0.1 <= high
        joint += best.low <= 0.1 <= best.high
    assert joint / 600 >= 0.94 > single / 600


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
    assert set(measures.names()) - set(without) == {"classification", "population_uniques"}
    given = {"classification": {"target": "QI1"}, "population_uniques": {"population": 100}}
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


def test_an_evaluation_holds_everything_but_the_secret() -> None:
    people = sample_table(200, seed=1)
    release = Noise(0.1).anonymize(people, rng=Randomness(1))
    found = evaluate(people, release, label="noise", rng=Randomness(2), cross=("region",))
    assert found.case.cross == ("region",)
    assert found.faults == []
    assert list(found.scores) == DEFAULTS
    assert found.strongest.rate == max(one.rate for one in found.attacks.values())
    assert len(found.exposed) == 10
    assert "link=<secret>" in repr(found)
    assert str(release.link)[1:12] not in repr(found)
