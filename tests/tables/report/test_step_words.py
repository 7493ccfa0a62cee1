from __future__ import annotations

from dataclasses import replace

from tokumei.core.provenance import Claim
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.report_context import shown_claims
from tokumei.tables.verification.claims import check_claims


def test_a_broken_claim_names_its_faults(by_label: dict[str, Evaluation]) -> None:
    good = by_label["A k-anonymity"]
    assert [claim.holds for claim in shown_claims(good)] == [True]
    claim = Claim("k-anonymity", {"k": 50, "columns": good.case.qi})
    release = replace(good.release, claims=(claim,))
    bad = replace(good, release=release, checks=check_claims(release.public, [claim]))
    (shown,) = shown_claims(bad)
    assert not shown.holds
    assert len(shown.faults) == 3
    assert shown.more == len(bad.faults) - 3
