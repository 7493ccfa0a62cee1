"""Association rules, cross tables, RFM and the customers' k, against loops."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.period_cases import CUSTOMERS, DELETED, Row, Small, smalls
from tokumei.core.errors import UsageError
from tokumei.pseudonyms.data.period_history import MASTER_COLUMNS, CustomerMaster
from tokumei.pseudonyms.measures import association_rules as baskets_module
from tokumei.pseudonyms.measures.association_rules import (
    AssociationRules,
    basket_item_matrix,
    mine_rules,
)
from tokumei.pseudonyms.measures.contest_measures import score_measures
from tokumei.pseudonyms.measures.customers import CrossTables, MasterK
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.measures.rfm import (
    PseudonymFrequency,
    PseudonymMonetary,
    PseudonymRecency,
    PseudonymRfm,
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


MASTERS = st.fixed_dictionaries(
    {
        name: st.tuples(
            st.sampled_from("fm"),
            st.sampled_from(["1950/1/1", "1957/3/1", "1960/1/1", "unknown"]),
            st.sampled_from(["Japan", "France"]),
        )
        for name in CUSTOMERS[:3]
    }
)


def master_of(people: dict[str, tuple[str, str, str]]) -> CustomerMaster:
    cells = [(name, *rest) for name, rest in people.items()]
    return CustomerMaster(pl.DataFrame(cells, schema=list(MASTER_COLUMNS), orient="row"))


def group_of(person: tuple[str, str, str], by: tuple[str, ...]) -> tuple[str, ...]:
    sex, birth, country = person
    decade = birth if birth == "unknown" else birth[:3] + "0"
    named = {"sex": sex, "birth": decade, "country": country}
    return tuple(named[name] for name in by)


@given(
    small=smalls(),
    people=MASTERS,
    by=st.sampled_from([("sex",), ("birth", "country"), ("sex", "birth", "country")]),
    buyers=st.sampled_from(["customers", "pseudonyms"]),
)
def test_cross_tables_count_distinct_buyers(small: Small, people: dict, by: tuple, buyers: str):
    items = {row[4] for row in small.rows}
    before: dict[tuple, set] = defaultdict(set)
    after: dict[tuple, set] = defaultdict(set)
    for row in small.rows:
        if row[0] in people:
            before[row[4], group_of(people[row[0]], by)].add(row[0])
    for row, new in small.pairs:
        if row[0] in people and new[4] in items:
            name = new[0] if buyers == "pseudonyms" else row[0]
            after[new[4], group_of(people[row[0]], by)].add(name)
    cells = before.keys() | after.keys()
    apart = sum(abs(len(before[cell]) - len(after[cell])) for cell in cells)
    total = sum(len(before[cell]) + len(after[cell]) for cell in cells)
    case = PeriodCase(small.case.original, small.case.released, master_of(people))
    found = CrossTables(by=by, buyers=buyers).score(case).value
    assert found == pytest.approx(apart / total if total else 0)


@given(people=MASTERS)
def test_master_k_is_the_smallest_group(people: dict):
    sizes = Counter(group_of(person, ("sex", "birth", "country")) for person in people.values())
    case = Small([DELETED], [DELETED]).case
    found = MasterK().score(PeriodCase(case.original, case.released, master_of(people)))
    assert (found.value, found.sample) == (min(sizes.values()), len(people))


@pytest.mark.parametrize("name", ["cross_tables", "master_k"])
def test_measures_of_customers_need_them(name: str):
    case = Small([DELETED], [DELETED]).case
    with pytest.raises(UsageError, match=f"{name} needs the customers"):
        score_measures(case, [name])


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
