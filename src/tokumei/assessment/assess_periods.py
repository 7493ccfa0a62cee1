"""Assesses a release under changing pseudonyms: `assess_periods(AssessPeriods(...))`.

request = AssessPeriods(original=PeriodSource(data="T.csv", layout=Pws2017(master="M.csv")),
                        release="S.csv", truth="F.csv")
assess_periods(request).verdict.word
"""

from __future__ import annotations

from tokumei.assessment.assess_purchases import assess_purchases
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.open_periods import AssessPeriods, open_periods


def assess_periods(request: AssessPeriods) -> Assessment:
    """Read both sides and assess the release under the scenario of the request."""
    return assess_purchases(open_periods(request), request.scenario, remedies=request.remedies)
