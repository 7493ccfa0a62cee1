"""Tests of tokumei.pseudonyms.measures.association_rules."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.period_cases import Row, Small, smalls
from tokumei.pseudonyms.measures import association_rules as baskets_module
from tokumei.pseudonyms.measures.association_rules import (
    AssociationRules,
    basket_item_matrix,
    mine_rules,
)


def basket_sets(rows: list[Row], items: set[str]) -> list[set[str]]:
    kept = [row for row in rows if row[0] != "DEL" and row[4] in items]
    by_invoice = len({row[1] for row in kept}) > 1
    found: dict[object, set[str]] = defaultdict(set)
    for row in kept:
        found[row[1] if by_invoice else (row[0], row[2])].add(row[4])
    return list(found.values())


def rules(held: list[set[str]], support: float, confidence: float, size: int) -> set:
    items = sorted(set().union(*held))
    found = set()
    for number in range(2, size + 1):
        for together in itertools.combinations(items, number):
            for last in together:
                condition = frozenset(together) - {last}
                with_condition = sum(condition <= basket for basket in held)
                with_all = sum(condition | {last} <= basket for basket in held)
                often = with_all and with_all / len(held) >= support
                if often and with_all / with_condition >= confidence:
                    found.add((condition, last))
    return found


@given(
    small=smalls(),
    support=st.sampled_from([0.01, 0.2, 0.5]),
    confidence=st.sampled_from([0.3, 0.5, 1.0]),
    size=st.sampled_from([2, 3]),
)
def test_rules_are_those_that_counting_finds(
    small: Small, support: float, confidence: float, size: int
):
    case, items = small.case, {row[4] for row in small.rows}
    both = []
    for side, rows in zip(case.user_items, (small.rows, small.released), strict=True):
        wanted = rules(basket_sets(rows, items), support, confidence, size)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(baskets_module, "PAIRS_PER_BLOCK", 2)
            mined = mine_rules(
                basket_item_matrix(side), support=support, confidence=confidence, size=size
            )
        names = side.items.to_list()
        assert {(frozenset(names[i] for i in x), names[y]) for x, y in mined} == wanted
        both.append(wanted)
    found = AssociationRules(support=support, confidence=confidence, size=size).score(case)
    true, seen = both
    if not true and not seen:
        assert found.value == 1
    else:
        precision = Fraction(len(true & seen), len(seen)) if seen else Fraction(0)
        recall = Fraction(len(true & seen), len(true)) if true else Fraction(0)
        total = precision + recall
        assert found.value == pytest.approx(float(2 * precision * recall / total) if total else 0)
    assert found.sample == len(true)


def test_the_invoice_is_the_basket_unless_it_was_blanked():
    rows = [
        ["c1", "7", "2011/1/1", "9:00", "a", "1", "1"],
        ["c1", "7", "2011/1/2", "9:00", "b", "1", "1"],
        ["c2", "8", "2011/1/2", "9:00", "c", "1", "1"],
    ]
    blanked = [["p" + row[0], "0", *row[2:]] for row in rows]
    case = Small(rows, blanked).case
    sizes = [sorted(basket_item_matrix(side).sum(axis=1).tolist()) for side in case.user_items]
    assert sizes == [[1, 2], [1, 1, 1]]
    assert AssociationRules().score(case).value == 0


def test_a_basket_counts_an_item_once():
    rows = [["c1", "0", "2011/1/1", "9:00", "a", "1", "1"]] * 3
    assert basket_item_matrix(Small(rows, rows).case.user_items[0]).toarray().tolist() == [[1]]
