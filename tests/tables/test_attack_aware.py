"""defend: the search equals trying everything; what it makes keeps bounds and says what it is."""

from __future__ import annotations

import pytest

import tokumei as tk
from tables.attack_aware_helpers import BOUNDS, PEOPLE
from tokumei.apps.cli.converters import parse_parameter
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step
from tokumei.tables.attack_aware.pipeline_plan import PipelinePlan, starting_plans
from tokumei.tables.attack_aware.pipeline_search import PipelineSearch
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.evaluation_suite import attack_suite, measure_suite

ATTACKS = ("linkage", "E4", "E2")


def by_hand(search: PipelineSearch, plan: PipelinePlan) -> tuple[dict[str, float], float]:
    """What a plan is worth and its worst attack, made step by step from the source."""
    step = Step.start(PEOPLE)
    for place, method in enumerate(plan.methods(search.limits)):
        step = method.change(step, rng=search.rng.child("release", method.name, place))
    case = Comparison(PEOPLE, step.table, step.link)
    worth = {name: score.value for name, score in measure_suite(case, list(BOUNDS)).items()}
    rng = search.rng.child("attacks")
    rates = attack_suite(case, ATTACKS, rng=rng, expected=True).values()
    return worth, max(rate.rate for rate in rates)


@pytest.mark.long
def test_without_rounds_it_is_the_best_of_all() -> None:
    search = PipelineSearch(PEOPLE, BOUNDS, ATTACKS, Randomness(5), rounds=())
    everything = [by_hand(search, plan) for plan in starting_plans(search.limits)]
    good = [worst for worth, worst in everything if all(worth[n] <= BOUNDS[n] for n in BOUNDS)]
    found = search.best()
    assert found.within == len(good)
    assert max(rate.rate for rate in found.rates.values()) == pytest.approx(min(good), abs=1e-6)


@pytest.fixture(scope="module")
def release() -> tk.Release:
    return tk.anonymize(PEOPLE, "defend", bounds=BOUNDS, attacks=ATTACKS, seed=1)


@pytest.mark.long
def test_it_keeps_its_bounds_and_beats_single_methods(release: tk.Release) -> None:
    worth = tk.measure(PEOPLE, release, methods=list(BOUNDS))
    assert all(worth[name].value <= BOUNDS[name] + 1e-9 for name in BOUNDS)
    unseen = ["everything", "EUC1"]  # the control: attacks that the search never used
    rates = tk.attack(PEOPLE, release, methods=unseen, expected=True, seed=2)
    for single in ({"method": "mondrian", "k": 5}, {"method": "noise"}, {"method": "swap"}):
        other = tk.anonymize(PEOPLE, [single], seed=1)
        weak = tk.attack(PEOPLE, other, methods=unseen, expected=True, seed=2)
        assert max(r.rate for r in rates.values()) < max(r.rate for r in weak.values())


@pytest.mark.long
def test_the_release_says_what_was_done_and_claims_no_more(release: tk.Release) -> None:
    steps = [step["method"] for step in release.provenance.steps]
    assert steps[0] == "defend"
    assert len(steps) > 1
    claimed = {claim.rule for claim in release.claims}
    assert claimed <= {"k-anonymity", "constant", "no-identifiers"}
    for claim in release.claims:
        if claim.rule == "k-anonymity" and "swap" in steps:
            assert not set(claim.params["columns"]) & set(PEOPLE.schema.sa)
    note = release.provenance.searches[0].note
    assert all(word in note.show("en") for word in ("never used", "everything", "U5"))
    assert all(word in note.show("ja") for word in ("探索に使っていない", "everything", "U4"))


def test_bounds_are_given_as_pairs_or_as_a_mapping() -> None:
    hint = dict[str, float]
    assert parse_parameter("U4=0.05,ncp=0.3", hint, "--bounds") == {"U4": 0.05, "ncp": 0.3}
    assert parse_parameter("{U4: 0.05}", hint, "--bounds") == {"U4": 0.05}
    with pytest.raises(UsageError, match="not a number"):
        parse_parameter("U4=x", hint, "--bounds")
