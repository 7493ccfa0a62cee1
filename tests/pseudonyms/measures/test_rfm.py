"""Tests of tokumei.pseudonyms.measures.rfm."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings

from support.period_cases import Row, Small, smalls
from tokumei.pseudonyms.measures.rfm import (
    PseudonymFrequency,
    PseudonymMonetary,
    PseudonymRecency,
    PseudonymRfm,
)


def quintiles(values: dict[str, float]) -> dict[str, int]:
    """The class that holds the mean rank of equals."""
    found = {}
    for name, value in values.items():
        ranks = [r for r, other in enumerate(sorted(values.values()), 1) if other == value]
        place = (Fraction(sum(ranks), len(ranks)) - Fraction(1, 2)) / len(values)
        found[name] = next(c for c in range(1, 6) if place < Fraction(c, 5))
    return found


def rfm(rows: list[Row]) -> list[dict[str, int]]:
    names = {row[0] for row in rows} - {"DEL"}
    own = {name: [row for row in rows if row[0] == name] for name in names}
    last = {n: max(tuple(map(int, row[2].split("/"))) for row in own[n]) for n in names}
    spent = {n: round(sum(float(r[5]) * float(r[6]) for r in own[n]), 2) for n in names}
    return [quintiles(part) for part in (last, {n: len(own[n]) for n in names}, spent)]


@settings(max_examples=50)
@given(small=smalls(odd=False))
def test_rfm_compares_pseudonyms_with_their_customers(small: Small):
    owned: dict[str, set[str]] = defaultdict(set)
    for row, new in small.pairs:
        owned[row[0]].add(new[0])
    customers = {row[0] for row in small.rows}
    parts, chances = [], []
    for true, seen in zip(rfm(small.rows), rfm(small.released), strict=True):
        agree = [sum(true[c] == seen[p] for p in owned[c]) / len(owned[c]) for c in owned]
        parts.append(sum(agree) / len(customers))
        at_random = [sum(true[c] == q for q in seen.values()) / len(seen) for c in owned]
        chances.append(sum(at_random) / len(customers))
    kinds = (PseudonymRecency, PseudonymFrequency, PseudonymMonetary)
    for kind, part, chance in zip(kinds, parts, chances, strict=True):
        score = kind().score(small.case)
        assert (score.value, score.baseline) == pytest.approx((part, chance))
    assert PseudonymRfm().score(small.case).value == pytest.approx(sum(parts) / 3)


@given(small=smalls())
@settings(max_examples=30)
def test_odd_cells_do_not_break_rfm_and_unchanged_rows_keep_it(small: Small):
    assert 0 <= PseudonymRfm().score(small.case).value <= 1
    same = Small(small.rows, [["p" + row[0], *row[1:]] for row in small.rows])
    assert PseudonymRfm().score(same.case).value == pytest.approx(1)
