"""How many people an attack finds."""

import pytest

from tokumei.core.advice.candidate import AttackEstimate


@pytest.mark.parametrize(
    ("people", "of", "share"), [(5.0, 20, 0.25), (0.0, 20, 0.0), (0.0, 0, 0.0)]
)
def test_the_share_is_of_the_people_in_the_release(people: float, of: int, share: float) -> None:
    estimate = AttackEstimate("known", people, low=0.0, high=8.0, baseline=1.0, of=of)
    assert estimate.share == share
    assert estimate.as_json()["share"] == share
    assert estimate.as_json()["high"] == 8.0
