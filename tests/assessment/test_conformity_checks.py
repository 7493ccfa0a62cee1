"""The conformity figures of an assessment are those of the conformity package."""

from __future__ import annotations

from collections import Counter

import polars as pl
from tests.assessment.small_releases import open_frames

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.conformity_checks import check_conformity, conformity_case
from tokumei.conformity.assessment import conform
from tokumei.core.scenario import Scenario

FRAME = pl.DataFrame(
    {
        "mail": [f"person{i}@example.org" for i in range(12)],
        "age": [30 + i // 6 for i in range(12)],
        "income": [100 + i for i in range(12)],
    }
)


def test_counts_are_those_of_every_finding_and_failures_are_named() -> None:
    opened = open_frames(FRAME, qi=("age",), sa=("income",), ids=("mail",))
    found = check_conformity(opened, Scenario(), [])
    findings = conform(conformity_case(opened, Scenario())).findings
    assert {name: count for name, count in found.counts.items() if count} == dict(
        Counter(finding.verdict.value for finding in findings)
    )
    assert found.failed
    assert any("mail" in str(finding.evidence) for finding in found.failed)
    document = found.to_dict()
    assert [entry["id"] for entry in document["failed"]] == [f.id for f in found.failed]  # type: ignore[attr-defined]


def test_without_the_identifier_nothing_fails() -> None:
    opened = open_frames(FRAME, FRAME.drop("mail"), qi=("age",), sa=("income",), ids=("mail",))
    assessment = assess_opened(opened, Scenario(), remedies=False)
    assert assessment.conformity is not None
    assert not assessment.conformity.failed
    assert assess_opened(opened, Scenario(), remedies=False, conformity=False).conformity is None


def test_the_attack_that_is_cited_is_the_strongest_of_the_assessment() -> None:
    opened = open_frames(FRAME.drop("mail"), qi=("age",), sa=("income",))
    assessment = assess_opened(opened, Scenario(), remedies=False)
    assert assessment.conformity is not None
    case = conformity_case(opened, Scenario())
    limit = case.limits
    assert (limit.k, limit.rate) == (5, 0.2)
    cited = check_conformity(opened, Scenario(), assessment.attackers)
    assert dict(cited.counts) == dict(assessment.conformity.counts)
