"""Tests of tokumei.pseudonyms.services.lifetime."""

import tokumei as tk
from tokumei.pseudonyms.data.sample_data import sample_periods
from tokumei.pseudonyms.services.lifetime import measure_lifetimes
from tokumei.pseudonyms.services.requests import LifetimeRequest, PeriodSource


def test_a_request_and_keywords_give_the_same_curve():
    history = sample_periods(300, customers=12, seed=1)
    request = LifetimeRequest(
        source=PeriodSource(data=history),
        lifetimes=(1, 3),
        alphas=(0.5,),
        attack="S6",
        params={"time": "hour"},
        measures=("topk",),
        seed=2,
    )
    curve = measure_lifetimes(request)
    assert curve.lifetimes == [1, 3]
    assert all(set(point.utility) == {"topk"} for point in curve.points)
    by_keywords = tk.lifetime(
        history,
        lifetimes=[1, 3],
        alphas=[0.5],
        attack="S6",
        params={"time": "hour"},
        measures=["topk"],
        seed=2,
    )
    assert curve == by_keywords
