"""What the tests split from test_planted_defects share."""

from __future__ import annotations

from tokumei.conformity.assessment import Conformity
from tokumei.conformity.finding import Verdict


def verdicts_of(found: Conformity) -> dict[str, Verdict]:
    return {one.id: one.verdict for one in found.findings}
