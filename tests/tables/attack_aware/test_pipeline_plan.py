"""Tests of tokumei.tables.attack_aware.pipeline_plan."""

from __future__ import annotations

from tokumei.tables.attack_aware.pipeline_plan import PlanLimits, starting_plans


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
