"""Assesses a release of a purchase history: `assess_history(AssessHistory(...))`.

request = AssessHistory(original=HistorySource(data="T.csv", layout=Pws2018()), release="A.csv")
assess_history(request).verdict.word
"""

from __future__ import annotations

from tokumei.assessment.assess_purchases import assess_purchases
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.open_history import AssessHistory, open_history


def assess_history(request: AssessHistory) -> Assessment:
    """Read both sides and assess the release under the scenario of the request."""
    return assess_purchases(open_history(request), request.scenario, remedies=request.remedies)
