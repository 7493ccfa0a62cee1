"""Tests of tokumei.conformity.pseudonym_linkage."""

from __future__ import annotations

from conformity.planted_defects_scene import verdicts
from support.clean_releases import clean
from tokumei.conformity.finding import Verdict


def test_a_month_written_into_pseudonyms_is_no_link() -> None:
    made = clean(3)
    month = made.original["day"].str.extract(r"(\d+/\d+)/", 1).str.replace("/", "-")
    dated = made.with_cells(customer=month + "-" + made.release["customer"])
    assert verdicts(dated)["lasting-codes"] is Verdict.PASS
