"""What a release promises of its pseudonyms is recomputed from the public rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.period_histories import period_histories
from support.period_rows import rows_of
from tokumei.core.claims import find_claim_violations, require_no_violations
from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.provenance import Claim
from tokumei.pseudonyms.registry import claim_checks
from tokumei.pseudonyms.verification.lifetimes import PseudonymExposure, PseudonymLifetime

S = rows_of(
    [
        "p1,0,2010/12/5,9:00,a,1,2",
        "p1,0,2011/2/5,9:00,a,1,2",
        "p2,0,2010/12/9,9:00,a,1,2",
        "p2,0,2010/12/9,9:00,b,1,2",
        "p2,0,2010/12/9,9:00,c,1,2",
    ]
).cells


def test_a_life_goes_from_the_first_month_to_the_last():
    assert PseudonymLifetime(3).check(S) == []
    faults = PseudonymLifetime(2).check(S)
    assert [(fault.line, fault.column, fault.rule) for fault in faults] == [
        (2, "customer", "pseudonym-lifetime")
    ]
    assert "is used for 3 months; the claim allows 2" in faults[0].message.show("en")


def test_exposure_counts_rows_items_and_unique_points():
    assert PseudonymExposure("rows", 2).check(S) == []
    assert [fault.line for fault in PseudonymExposure("rows", 1).check(S)] == [1]
    assert PseudonymExposure("items", 1).check(S) == []
    # p1 alone bought 'a' in February: one unique point.
    assert PseudonymExposure("risk", 0.25, known=0.25).check(S) == []
    assert [f.rule for f in PseudonymExposure("risk", 0.2, known=0.25).check(S)] == [
        "pseudonym-exposure"
    ]


@settings(max_examples=50)
@given(period_histories(people=3), st.integers(1, 6), st.sampled_from(["rows", "items", "risk"]))
def test_as_counted_one_by_one(history, bound, by):
    cells = history.rows.cells
    rows = list(zip(history.person.tolist(), history.period.tolist(), cells["item"], strict=True))
    lives, beyond = set(), set()
    for person in {row[0] for row in rows}:
        own = [row for row in rows if row[0] == person]
        months = [month for _, month, _ in own]
        if max(months) - min(months) + 1 > bound:
            lives.add(str(history.master.customers[person]))
        told = {"rows": len(own), "items": len({item for *_, item in own})}
        alone = {
            (m, i) for _, m, i in own if {c for c, mm, ii in rows if (mm, ii) == (m, i)} == {person}
        }
        told["risk"] = 1 - 0.5 ** len(alone)
        limit = bound / 7 if by == "risk" else bound
        if len(set(months)) > 1 and told[by] > limit:
            beyond.add(str(history.master.customers[person]))
    found = PseudonymLifetime(bound).check(cells)
    assert {cells["customer"][fault.line - 1] for fault in found} == lives
    limit = bound / 7 if by == "risk" else bound
    found = PseudonymExposure(by, limit, known=0.5).check(cells)
    assert {cells["customer"][fault.line - 1] for fault in found} == beyond


def test_claims_are_found_by_name():
    claims = [Claim("pseudonym-lifetime", {"periods": 2})]
    assert len(find_claim_violations(claim_checks, S, claims)) == 1
    with pytest.raises(ClaimError):
        require_no_violations(find_claim_violations(claim_checks, S, claims))


def test_figures_that_make_no_sense():
    for bad in (lambda: PseudonymLifetime(0), lambda: PseudonymExposure("rows", -1)):
        with pytest.raises(UsageError):
            bad()
    with pytest.raises(UsageError, match="missing: day"):
        PseudonymLifetime(1).check(S.drop("day"))
