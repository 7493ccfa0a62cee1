"""The sample attacks against a loop over rows, on small random files and on the contest's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonyms.attackers.sample_keys_helpers import CUSTOMERS, MONTHS, SAMPLES, guess, loop, owners
from support.period_rows import rows_of
from tokumei.pseudonyms.attackers.sample_keys import S1, SameItem, SameItemMonth
from tokumei.pseudonyms.registry import attackers as period_attackers

rows = st.lists(
    st.tuples(
        st.sampled_from(["p1", "p2", "p3", "p4"]),
        st.sampled_from(["2010/12/1", "2010/12/15", "2011/1/1", "2011/1/01", "2011/2/3"]),
        st.sampled_from(["21", "2105", "2166", "9"]),
        st.sampled_from(["1", "1.0", "2.5"]),
        st.sampled_from(["1", "2"]),
    ),
    max_size=12,
)


def lines(drawn, names):
    return [f"{names[row[0]]},0,{row[1]},9:05,{','.join(row[2:])}" for row in drawn]


@pytest.mark.parametrize("attack", SAMPLES, ids=lambda kind: kind.name)
@given(public=rows, known=rows)
def test_every_sample_attack_equals_the_loop(attack, public, known):
    told = {"p1": "c1", "p2": "c2", "p3": "c9", "p4": "DEL"}
    shown = lines(public, {name: name for name in told})
    heard = ["DEL,,,,,," if line.startswith("DEL") else line for line in lines(known, told)]
    expected = loop(
        owners([line.split(",") for line in shown], attack.key),
        [line.split(",") for line in heard if not line.startswith("DEL")],
        attack.key,
        CUSTOMERS,
        MONTHS,
    )
    assert guess(attack, rows_of(shown), rows_of(heard)) == expected


def test_the_last_public_row_and_the_last_known_row_win():
    public = rows_of(["p1,0,2010/12/1,9:00,2105,1,2", "p2,0,2010/12/1,9:00,2105,1,2"])
    known = rows_of(["c1,0,2010/12/1,9:00,2105,1,2"])
    assert guess(S1, public, known)[0] == ["c1", "p2", "DEL", "DEL"]
    known = rows_of(["c1,0,2010/12/1,9:00,21,1,2", "c1,0,2010/12/5,9:00,21,1,3"])
    public = rows_of(["p1,0,2010/12/5,9:00,2105,1,3", "p2,0,2010/12/1,9:00,2105,1,2"])
    assert guess(S1, public, known)[0] == ["c1", "p1", "DEL", "DEL"]


def test_an_item_of_another_month_counts_only_without_the_month():
    public = rows_of(["p1,0,2011/1/1,9:00,2105,1,2"])
    known = rows_of(["c1,0,2010/12/1,9:00,2105,1,2"])
    assert guess(SameItem, public, known)[0] == ["c1", "p1", "DEL", "DEL"]
    assert guess(SameItemMonth, public, known)[0] == ["c1", "DEL", "DEL", "DEL"]


def test_all_samples_are_registered():
    assert [kind.name for kind in SAMPLES] == period_attackers.names()[: len(SAMPLES)]
    assert all(period_attackers.get(kind.name) is kind for kind in SAMPLES)
