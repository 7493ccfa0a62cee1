"""defend: the search equals trying everything; what it makes keeps bounds and says what it is."""

from __future__ import annotations

import polars as pl
import pytest

import tokumei as tk
from tokumei.apps.cli.converters import parse_parameter
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step
from tokumei.tables.attack_aware.defend import Defend
from tokumei.tables.attack_aware.pipeline_plan import PipelinePlan, PlanLimits, starting_plans
from tokumei.tables.attack_aware.pipeline_search import PipelineSearch
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.evaluation_suite import attack_suite, measure_suite
from tokumei.tables.verification.claims import claim_violations

BOUNDS = {"U4": 0.1, "U5": 0.06}
ATTACKS = ("linkage", "E4", "E2")
SAMPLE = tk.sample_table(120, seed=3)
QI, SA = ["household_size", "head_age_band", "region"], ["food", "medical", "gifts"]
PEOPLE = tk.Table.of(SAMPLE.frame.select(*QI, *SA), qi=QI, sa=SA)


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
    assert all(word in note.en for word in ("never used", "everything", "U5"))
    assert all(word in note.ja for word in ("探索に使っていない", "everything", "U4"))


@pytest.mark.long
def test_the_seed_decides_all_and_identifiers_are_gone() -> None:
    frame = PEOPLE.frame.with_columns(who=pl.Series([f"P{i:03}" for i in range(PEOPLE.rows)]))
    source = tk.Table.of(frame, qi=QI, sa=SA, ids=["who"])
    method = Defend(bounds=BOUNDS, attacks=("E4",), holdout=(), k=30)
    first, again, other = (method.anonymize(source, rng=Randomness(seed)) for seed in (5, 5, 6))
    assert first.public.frame.equals(again.public.frame)
    assert first.link.tolist() == again.link.tolist() != other.link.tolist()
    assert "who" not in first.public.schema.names
    assert min(first.public.frame.group_by(QI).len()["len"]) >= 30
    assert claim_violations(first.public, first.claims) == []
    assert str(first.link.tolist())[1:20] not in str(first.manifest())


def test_what_cannot_be_asked() -> None:
    for params, said in (
        ({"bounds": {}}, "at least one bound"),
        ({"bounds": {"U9": 1.0}}, "U9"),
        ({"attacks": ("E1",), "holdout": ("E1",)}, "held out"),
    ):
        with pytest.raises(UsageError, match=said):
            Defend(**params)


def test_bounds_that_nothing_keeps_are_told_with_the_nearest() -> None:
    search = PipelineSearch(PEOPLE, {"S1": 121.0, "U5": 0.0}, ("E1",), Randomness(1))
    with pytest.raises(UsageError, match="keeps all bounds; the nearest has S1"):
        search.best()


def test_no_candidate_is_another_in_disguise_or_cannot_be_made() -> None:
    limits = PlanLimits(1000, True, True, True, True, ("spare",), least_k=10)
    plans = starting_plans(limits)
    assert len(set(plans)) == len(plans) > 20
    for plan in plans:
        assert plan.k >= 10
        assert not (plan.noise and plan.values.startswith("mean"))
        assert all(limits.rows >= near.k for near in plan.neighbours() if limits.allow(near))
    words_only = PlanLimits(100, True, True, False, False, ())
    assert not any(plan.noise or plan.values == "mean" for plan in starting_plans(words_only))


def test_bounds_are_given_as_pairs_or_as_a_mapping() -> None:
    hint = dict[str, float]
    assert parse_parameter("U4=0.05,ncp=0.3", hint, "--bounds") == {"U4": 0.05, "ncp": 0.3}
    assert parse_parameter("{U4: 0.05}", hint, "--bounds") == {"U4": 0.05}
    with pytest.raises(UsageError, match="not a number"):
        parse_parameter("U4=x", hint, "--bounds")
