"""Tests of tokumei.pseudonyms.measures.customers."""

from __future__ import annotations

from collections import Counter, defaultdict

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.period_cases import CUSTOMERS, DELETED, Small, smalls
from tokumei.pseudonyms.data.period_history import MASTER_COLUMNS, CustomerMaster
from tokumei.pseudonyms.measures.customers import CrossTables, MasterK
from tokumei.pseudonyms.measures.protocol import PeriodCase

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
