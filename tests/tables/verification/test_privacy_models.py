"""Privacy models beyond k: exact references, examples by hand, planted violations."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from support.privacy_reference import NAMES, models
from tables.verification.privacy_models_helpers import ONE, TABLES, people, rule, table
from tokumei.tables.data.table import Table
from tokumei.tables.verification.k_anonymity import KPerPerson
from tokumei.tables.verification.l_diversity import EntropyLDiversity, RecursiveLDiversity
from tokumei.tables.verification.t_closeness import TCloseness
from tokumei.tables.verification.value_frequency import AlphaK, BetaLikeness, DeltaDisclosure


@pytest.mark.parametrize("name", NAMES)
def test_each_rule_equals_its_reference_on_random_tables(name: str) -> None:
    caught = 0
    for seed, small in enumerate(TABLES):
        model = next(m for m in models(small, seed) if m.name == name)
        bad = [n for n, counts in small.classes.items() if not model.fulfilled(counts, small)]
        faults = rule(model).check(table(small))
        assert sorted({fault.line for fault in faults}) == bad, (seed, model)
        assert {fault.rule for fault in faults} <= {rule(model).name}
        caught += len(bad)
    assert caught > 100


PLANTED = [
    # A: ln 2. B: shares 3/4, 1/4: −.75 ln .75 − .25 ln .25 = .2158 + .3466 = .5623 < ln 2 = .6931
    (
        EntropyLDiversity(2, **ONE),
        people(("A", "xxyy"), ("B", "xxxy")),
        6,
        "entropy 0.562335 of 's', like 1.75477 equally frequent values; ln 2 = 0.693147 needed",
    ),
    # c = 2, l = 2. A: 2 < 2·2. B: 4 < 2·2 is false
    (
        RecursiveLDiversity(2, 2, **ONE),
        people(("A", "xxyz"), ("B", "xxxxyz")),
        6,
        "4 rows with its most frequent 's' and 2 in all from value 2 on; fewer than c × 2 = 4",
    ),
    # A: 1/2. B: 3/5 > 1/2
    (
        AlphaK(0.5, **ONE),
        people(("A", "xy"), ("B", "xyyyx")),
        4,
        "s=y in a share of 0.6 of its rows; at most alpha = 0.5 allowed",
    ),
    # q = (1/2, 1/2). A: ½·(1/4 + 1/4) = 1/4, on the limit. B: p = (0, 1): 1/2
    (
        TCloseness(0.25, **ONE),
        people(("A", "xxxyxxxy"), ("B", "yyyy")),
        10,
        "'s' at distance 0.5 (equal) from the file; at most t = 0.25 allowed",
    ),
    # q = (1/3, 1/3, 1/3). A: 0. B, p = (0, 0, 1): cumulated −1/3, −2/3, 0: (1/3 + 2/3)/2 = 1/2.
    # C, p = (1/2, 1/2, 0): 1/6, 1/3, 0: 1/4
    (
        TCloseness(0.25, **ONE, distance="ordered", order=("x", "y", "z")),
        people(("A", "xyz"), ("B", "zz"), ("C", "xyxy")),
        5,
        "'s' at distance 0.5 (ordered) from the file; at most t = 0.25 allowed",
    ),
    # x, y under one node, z under another; q = (3/8, 3/8, 1/4). A, p = (1/2, 1/4, 1/4): 1/8 moves
    # between sisters, cost ½·1/8 = 1/16. B, p = (1/4, 1/2, 1/4): the same. C, p = (3/4, 0, 1/4):
    # 3/8 between sisters: 3/16. D, p = (0, 3/4, 1/4): 3/16
    (
        TCloseness(
            0.1,
            **ONE,
            distance="hierarchical",
            hierarchy={"x": ("xy", "*"), "y": ("xy", "*"), "z": ("only z", "*")},
        ),
        people(("A", "xxyz"), ("B", "xyyz"), ("C", "xxxz"), ("D", "yyyz")),
        10,
        "'s' at distance 0.1875 (hierarchical) from the file; at most t = 0.1 allowed",
    ),
    # q = (1/4, 3/4). A: (1/2 − 1/4)/(1/4) = 1. C: (1 − 1/4)/(1/4) = 3. B: only y, 1/3
    (
        BetaLikeness(1, **ONE),
        people(("A", "xy"), ("B", "yyyyy"), ("C", "x")),
        9,
        "s=x more often than the file by (p-q)/q = 3; at most beta = 1 allowed",
    ),
    # q = (1/2, 1/2), −ln q = .6931. A: p = 4/5: .6. B: p = 1: 1 ≤ β = 1, but > .6931
    (
        BetaLikeness(1, **ONE, enhanced=True),
        people(("A", "xxxxy"), ("B", "yyy")),
        7,
        "s=y more often than the file by (p-q)/q = 1; at most min(beta, -ln q) = 0.693147",
    ),
    # q = (1/2, 1/2). A: ln(1/4 / 1/2) = −.6931, ln(3/4 / 1/2) = .4055. C: 0. D: as A, later
    (
        DeltaDisclosure(0.69, **ONE),
        people(("A", "xyyy"), ("C", "xxyy"), ("D", "xxxy")),
        2,
        "s=x with ln(p/q) = -0.693147 against the file; between -delta and delta = 0.69 needed",
    ),
    # B has three rows of two persons
    (
        KPerPerson(3, ("town",), "who"),
        people(("A", "xyz"), ("B", "xyz"), who=["p", "q", "r", "p", "p", "q"]),
        5,
        "rows of only 2 persons by 'who'; k = 3 needed",
    ),
]


@pytest.mark.parametrize(
    ("rule", "table", "line", "finding"), PLANTED, ids=lambda part: getattr(part, "name", "")
)
def test_a_planted_violation_is_caught_and_its_class_named(
    rule: Any, table: Table, line: int, finding: str
) -> None:
    first = rule.check(table)[0]
    town = table.frame["town"][line - 2]
    assert (first.rule, first.line) == (rule.name, line)
    assert f"the class (town={town}), first on line {line}, has {finding}" in first.message.show(
        "en"
    )
    assert f"クラス (town={town}) (最初は {line} 行目)" in first.message.show("ja")
    assert first.column in ("s", "who")


RULES = [rule for rule, *_ in PLANTED]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_file_without_rows_breaks_nothing(rule: Any) -> None:
    schema = {"town": pl.String, "s": pl.String, "who": pl.String}
    assert rule.check(Table.of(pl.DataFrame(schema=schema), qi=["town"])) == []
