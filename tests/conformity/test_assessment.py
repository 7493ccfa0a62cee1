"""Tests of tokumei.conformity.assessment."""

from __future__ import annotations

import pytest

from conformity.planted_defects_helpers import verdicts_of
from support.clean_releases import clean
from tokumei.conformity.assessment import conform
from tokumei.conformity.finding import Verdict


@pytest.mark.long
def test_pseudonyms_that_return_are_found() -> None:
    made = clean(4)
    again = conform(made.case(earlier=(made.release["customer"].head(5),)))
    assert verdicts_of(again)["reused-pseudonyms"] is Verdict.FAIL
    other = conform(made.case(earlier=(clean(5).original["customer"],)))
    assert verdicts_of(other)["reused-pseudonyms"] is Verdict.PASS
