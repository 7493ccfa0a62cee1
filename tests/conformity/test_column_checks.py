"""Tests of tokumei.conformity.column_checks."""

from __future__ import annotations

from conformity.finding_samples import ROWS, people, verdicts
from tokumei.conformity.finding import Verdict


def test_texts_and_postal_codes() -> None:
    texts = [f"asked about the delivery of parcel {i} and was content" for i in range(ROWS)]
    assert verdicts(people(remarks=texts))["free-text"] is Verdict.HUMAN
    texts[5] = "please call 03-1234-5678 in the evening, she said"
    assert verdicts(people(remarks=texts))["free-text"] is Verdict.FAIL
    wide = ["{100-0001;100-0002}"] * ROWS
    assert verdicts(people(郵便番号=wide))["postal-codes"] is Verdict.PASS
    shared = [f"{100 + i % 6}-0001" for i in range(ROWS)]
    assert verdicts(people(郵便番号=shared))["postal-codes"] is Verdict.PASS
    assert verdicts(people(郵便番号=["999-0009", *shared[1:]]))["postal-codes"] is Verdict.FAIL
