"""What the tests split from test_planted_defects share."""

from __future__ import annotations

from functools import cache

from conformity.planted_defects_helpers import verdicts_of
from support.clean_releases import Clean, clean
from tokumei.conformity.assessment import conform
from tokumei.conformity.finding import Verdict


def verdicts(made: Clean) -> dict[str, Verdict]:
    return verdicts_of(conform(made.case()))


@cache
def before() -> dict[str, Verdict]:
    """The verdicts on the release that is spoiled."""
    return verdicts(clean(3))
