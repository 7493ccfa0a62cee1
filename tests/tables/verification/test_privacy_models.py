"""Privacy models beyond k: exact references, examples by hand, planted violations."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linprog

from support.privacy_reference import (
    NAMES,
    PARENTS,
    Model,
    SmallTable,
    climb,
    models,
    random_tables,
    step,
)
from tokumei.core.errors import UnknownNameError
from tokumei.tables.data.table import Table
from tokumei.tables.verification.class_check_base import ClassValues, class_values
from tokumei.tables.verification.k_anonymity import KPerPerson
from tokumei.tables.verification.l_diversity import (
    EntropyLDiversity,
    LDiversity,
    RecursiveLDiversity,
)
from tokumei.tables.verification.t_closeness import (
    TCloseness,
    equal_distance,
    hierarchical_distance,
    number_ancestors,
    ordered_distance,
    rank_values,
)
from tokumei.tables.verification.value_frequency import AlphaK, BetaLikeness, DeltaDisclosure

TABLES = random_tables(300)
QI = ("a", "b")
TREE = {f"v{value}": (parent, "*") for value, parent in enumerate(PARENTS)}
ORDER = tuple(TREE)


def table(small: SmallTable) -> Table:
    rows = [(a, b, f"v{value}") for a, b, value in small.rows]
    schema = {"a": pl.String, "b": pl.Int64, "s": pl.String}
    return Table.of(pl.DataFrame(rows, schema=schema, orient="row"), qi=QI, sa=["s"])


def rule(model: Model) -> Any:
    limit, columns = model.limit, {"columns": QI, "sensitive": ("s",)}
    closeness = {"t": {}, "t-ordered": {"order": ORDER}, "t-hierarchical": {"hierarchy": TREE}}
    if model.name in closeness:
        distance = {"t": "equal"}.get(model.name, model.name.removeprefix("t-"))
        return TCloseness(limit, distance=distance, **columns, **closeness[model.name])
    return {
        "l": lambda: LDiversity(int(limit), **columns),
        "entropy-l": lambda: EntropyLDiversity(limit, **columns),
        "recursive": lambda: RecursiveLDiversity(limit, *model.extra, **columns),
        "alpha": lambda: AlphaK(limit, **columns),
        "beta": lambda: BetaLikeness(limit, **columns),
        "enhanced-beta": lambda: BetaLikeness(limit, enhanced=True, **columns),
        "delta": lambda: DeltaDisclosure(limit, **columns),
    }[model.name]()


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


# --- the earth mover's distances, against the transport problem itself


def transport(counts: list[int], totals: list[int], ground: np.ndarray) -> float:
    """The least Σ flow·distance that turns p into q, by linear programming."""
    m = len(counts)
    leaves = np.kron(np.eye(m), np.ones(m))
    arrives = np.kron(np.ones(m), np.eye(m))
    shares = [np.array(n) / sum(n) for n in (counts, totals)]
    solved = linprog(ground.ravel(), A_eq=np.vstack([leaves, arrives]), b_eq=np.concatenate(shares))
    assert solved.success
    return float(solved.fun)


def ground_distances(kind: str, values: list[int]) -> np.ndarray:
    m = range(len(values))
    if kind == "ordered":
        return np.array([[float(step(i, j, len(values))) for j in m] for i in m])
    if kind == "hierarchical":
        return np.array([[float(climb(i, j)) for j in values] for i in values])
    return 1 - np.eye(len(values))


def distances(kind: str, found: ClassValues) -> list[float]:
    if kind == "ordered":
        return list(ordered_distance(found, rank_values(found.values, ORDER)))
    if kind == "hierarchical":
        return list(hierarchical_distance(found, number_ancestors(found.values, TREE)))
    return list(equal_distance(found))


@pytest.mark.parametrize("kind", ["equal", "ordered", "hierarchical"])
def test_distances_solve_the_transport_problem(kind: str) -> None:
    for small in TABLES[:60]:
        (found,) = class_values(table(small), QI, ["s"])
        ground = ground_distances(kind, small.values)
        expected = [transport(n, small.totals, ground) for n in small.classes.values()]
        assert distances(kind, found) == pytest.approx(expected, abs=1e-9)


def test_ordered_distance_with_many_values_equals_cumulated_shares() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"a": rng.integers(0, 40, 3000), "s": rng.normal(size=3000).round(2)})
    (found,) = class_values(Table.of(frame, qi=["a"], sa=["s"]), ["a"], ["s"])
    distance = ordered_distance(found, rank_values(found.values, ()))
    values = np.unique(frame["s"].to_numpy())
    for place, row in enumerate(found.first):
        members = frame.filter(pl.col("a") == frame["a"][int(row)])["s"].to_numpy()
        ours = np.searchsorted(np.sort(members), values, side="right") / len(members)
        all_of = np.searchsorted(np.sort(frame["s"].to_numpy()), values, side="right") / 3000
        expected = np.abs(ours - all_of).sum() / (len(values) - 1)
        assert distance[place] == pytest.approx(expected, abs=1e-12)


# --- planted violations, worked by hand


def people(*classes: tuple[str, str], **more: list[Any]) -> Table:
    """A table of classes (town, values as letters)."""
    rows = [(town, letter) for town, letters in classes for letter in letters]
    frame = pl.DataFrame(rows, schema=["town", "s"], orient="row")
    return Table.of(frame.with_columns(**{k: pl.Series(v) for k, v in more.items()}), qi=["town"])


ONE = {"columns": ("town",), "sensitive": ("s",)}
PLANTED = [
    # A: ln 2. B: shares 3/4, 1/4: −.75 ln .75 − .25 ln .25 = .2158 + .3466 = .5623 < ln 2 = .6931
    (
        EntropyLDiversity(2, **ONE),
        people(("A", "xxyy"), ("B", "xxxy")),
        6,
        "entropy 0.562335 of 's', like 1.75477 equally frequent value(s); ln 2 = 0.693147 needed",
    ),
    # c = 2, l = 2. A: 2 < 2·2. B: 4 < 2·2 is false
    (
        RecursiveLDiversity(2, 2, **ONE),
        people(("A", "xxyz"), ("B", "xxxxyz")),
        6,
        "4 row(s) with its most frequent 's' and 2 in all from value 2 on; fewer than c × 2 = 4",
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
        "rows of only 2 person(s) by 'who'; k = 3 needed",
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
    assert f"the class (town={town}), first on line {line}, has {finding}" in first.message.en
    assert f"クラス (town={town}) (最初は {line} 行目)" in first.message.ja
    assert first.column in ("s", "who")


def test_the_worst_class_comes_first_then_the_first_line() -> None:
    worse = people(("A", "xxy"), ("B", "xxxy"), ("C", "xy"), ("D", "xxxy"), ("E", "x"))
    found = [fault.line for fault in AlphaK(0.5, **ONE).check(worse) if fault.column]
    assert found == [15, 5, 11, 2]
    found = [fault.line for fault in EntropyLDiversity(2, **ONE).check(worse)]
    assert found == [15, 5, 11, 2]
    found = [fault.line for fault in RecursiveLDiversity(2, 2, **ONE).check(worse)]
    assert found == [15, 5, 11, 2]


def test_of_equally_bad_values_the_first_is_named() -> None:
    (fault,) = AlphaK(0.4, **ONE).check(people(("A", "bbaa")))
    assert "s=b in a share of 0.5" in fault.message.en


def test_alpha_k_asks_for_k_rows_too() -> None:
    faults = AlphaK(0.5, **ONE, k=3).check(people(("A", "xy"), ("B", "xyz")))
    assert [(fault.rule, fault.line) for fault in faults] == [("alpha-k", 2)]
    assert "only 2 row(s) have (town=A)" in faults[0].message.en


def test_each_sensitive_column_is_checked_on_its_own() -> None:
    both = people(("A", "xy"), ("B", "xy"), other=[1, 2, 3, 3])
    rule = EntropyLDiversity(2, ("town",), ("s", "other"))
    assert [(fault.line, fault.column) for fault in rule.check(both)] == [(4, "other")]


def test_generalized_and_missing_cells_are_values_as_they_stand() -> None:
    cells = pl.Series("s", ["[1;2]", "[1;3]", None, None])
    frame = pl.DataFrame({"a": ["x", "x", None, None], "s": cells})
    submission = Table.of(frame, qi=["a"], sa=["s"])
    faults = EntropyLDiversity(2, ("a",), ("s",)).check(submission)
    assert [fault.line for fault in faults] == [4]
    assert "(a=None)" in faults[0].message.en


def test_rows_of_nobody_count_for_nobody() -> None:
    nobody = people(("A", "xyz"), who=["p", None, "q"])
    assert len(KPerPerson(3, ("town",), "who").check(nobody)) == 1
    assert KPerPerson(2, ("town",), "who").check(nobody) == []


def test_without_the_persons_what_can_be_seen_is_checked() -> None:
    rule = KPerPerson(3, ("town",), "who", rows=6)
    assert rule.check(people(("A", "xyz"), ("B", "xyz"))) == []
    (fault,) = rule.check(people(("A", "xyz"), ("B", "xyzx")))
    assert fault.message.en == "persons were counted in 6 rows, but there are 7"
    fewer = rule.check(people(("A", "xyzx"), ("B", "xy")))
    assert [(fault.rule, fault.line) for fault in fewer] == [("k-per-person", 6)]
    with pytest.raises(UnknownNameError, match="unknown column 'who'"):
        KPerPerson(3, ("town",), "who").check(people(("A", "xyz")))
    shown = people(("A", "xyz"), ("B", "xyz"), who=["p", "q", "r", "p", "p", "q"])
    assert len(rule.check(shown)) == 1


@pytest.mark.parametrize("l", [2, 3, 7, 10, 49])
def test_equally_frequent_values_reach_their_number(l: int) -> None:  # noqa: E741
    uniform = people(("A", "".join(chr(97 + i) for i in range(l)) * 3))
    assert EntropyLDiversity(l, **ONE).check(uniform) == []
    assert len(EntropyLDiversity(l + 0.001, **ONE).check(uniform)) == 1


def test_limits_met_up_to_rounding() -> None:
    """0.1·30 is above 3 in floating point, and 3/10 − 1/10 above 0.2."""
    eleven = people(("A", "abcdefghijk" * 3))
    assert len(RecursiveLDiversity(0.1, 2, **ONE).check(eleven)) == 1
    ten = people(("A", "xxxyyyyyyy"), ("B", "x" + "y" * 9), ("C", "xx" + "y" * 8))
    assert TCloseness(0.1, **ONE).check(ten) == []
    assert len(TCloseness(0.0999, **ONE).check(ten)) == 2
    assert len(DeltaDisclosure(math.log(1.5), **ONE).check(ten)) == 2
    same = people(("A", "xxy"), ("B", "xxyxxy"), ("C", "yxx"))
    assert TCloseness(0, **ONE).check(same) == []
    assert TCloseness(0, **ONE, distance="ordered", order=("y", "x")).check(same) == []
    assert DeltaDisclosure(1e-6, **ONE).check(same) == []


def test_a_hierarchy_file_reads_as_its_mapping(tmp_path: Path) -> None:
    file = tmp_path / "tree.csv"
    lines = [";".join([leaf, *above]) for leaf, above in TREE.items()]
    file.write_text("\ufeff" + "\n".join(lines), encoding="utf-8")
    for small in TABLES[:20]:
        both = [
            TCloseness(0.1, QI, ("s",), distance="hierarchical", hierarchy=tree).check(table(small))
            for tree in (TREE, str(file))
        ]
        assert both[0] == both[1]


RULES = [rule for rule, *_ in PLANTED]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_file_without_rows_breaks_nothing(rule: Any) -> None:
    schema = {"town": pl.String, "s": pl.String, "who": pl.String}
    assert rule.check(Table.of(pl.DataFrame(schema=schema), qi=["town"])) == []


def test_a_number_may_be_spelled_otherwise_than_its_leaf() -> None:
    frame = pl.DataFrame({"q": ["a", "a", "b", "b"], "s": ["12", "1.50", "12", "1.50"]})
    paths = {"12.0": ("x", "*"), "1.5": ("y", "*")}
    rule = TCloseness(0.1, ("q",), ("s",), distance="hierarchical", hierarchy=paths)
    assert rule.check(Table.of(frame, qi=["q"])) == []
    ordered = TCloseness(0.1, ("q",), ("s",), distance="ordered", order=("1.5", "12.0"))
    assert ordered.check(Table.of(frame, qi=["q"])) == []
