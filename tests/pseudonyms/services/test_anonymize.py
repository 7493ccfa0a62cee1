"""Tests of tokumei.pseudonyms.services.anonymize."""

from __future__ import annotations

import pytest

import tokumei as tk
from pseudonyms.services.front_ends_helpers import HISTORY
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.services.anonymize import anonymize_periods
from tokumei.pseudonyms.services.requests import AnonymizePeriodsRequest, PeriodSource


def test_a_release_is_verified_before_anybody_gets_it(monkeypatch):
    fault = tk.Violation(rule="lifetime", message=tk.Message("too long"))
    monkeypatch.setattr(
        "tokumei.pseudonyms.services.anonymize.find_claim_violations", lambda *_: [fault]
    )
    source = PeriodSource(data=HISTORY)
    with pytest.raises(tk.ClaimError):
        anonymize_periods(AnonymizePeriodsRequest(source=source, method=Pseudonyms(lifetime=1)))
