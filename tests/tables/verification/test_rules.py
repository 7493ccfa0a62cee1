"""Rules against dictionary counts, and broken releases that must be caught."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei.tables.verification
from support.required_claims import require_claims
from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, ClaimError, UnknownNameError, UsageError
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.data.table import Release, Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.registry import claim_checks
from tokumei.tables.verification.claims import claim_violations
from tokumei.tables.verification.column_checks import Constant, NoIdentifiers
from tokumei.tables.verification.k_anonymity import KAnonymity
from tokumei.tables.verification.l_diversity import LDiversity

cells = st.none() | st.sampled_from(["[1;2]", "*", "a"])
rows = st.lists(
    st.tuples(cells, st.none() | st.integers(0, 1), st.none() | st.integers(0, 3)), min_size=1
)


def table(given_rows: list[tuple[Any, ...]]) -> Table:
    schema = {"a": pl.String, "b": pl.Int64, "s": pl.Int64}
    return Table.of(pl.DataFrame(given_rows, schema=schema, orient="row"), qi=["a", "b"], sa=["s"])


def vector(row: tuple[Any, ...]) -> str:
    return f"(a={row[0]}, b={row[1]})"


@given(rows=rows, k=st.integers(2, 5))
def test_k_anonymity_counts_vectors(rows: list[tuple[Any, ...]], k: int) -> None:
    counts = Counter(row[:2] for row in rows)
    first = {v: next(i for i, row in enumerate(rows) if row[:2] == v) for v in counts}
    rare = sorted((n, first[v]) for v, n in counts.items() if n < k)
    faults = KAnonymity(k, ("a", "b")).check(table(rows))
    assert [fault.line for fault in faults] == [i + 2 for _, i in rare]
    for fault, (n, i) in zip(faults, rare, strict=True):
        assert fault.rule == "k-anonymity"
        assert f"only {n} row(s) have {vector(rows[i])}" in fault.message.en


@given(rows=rows, l=st.integers(2, 4))
def test_l_diversity_counts_values_per_class(rows: list[tuple[Any, ...]], l: int) -> None:  # noqa: E741
    values, lines = defaultdict(set), {}
    for line, row in enumerate(rows, start=2):
        values[row[:2]] |= {row[2]} - {None}
        lines.setdefault(row[:2], line)
    poor = Counter(
        f"the class {vector(v)}, first on line {lines[v]}, has {len(found)} value(s) of 's'; "
        f"l = {l} needed"
        for v, found in values.items()
        if len(found) < l
    )
    faults = LDiversity(l, ("a", "b"), ("s",)).check(table(rows))
    assert Counter(fault.message.en for fault in faults) == poor
    counted = [int(fault.message.en.split(" has ")[1].split()[0]) for fault in faults]
    assert counted == sorted(counted)


@given(rows)
def test_constant_columns(rows: list[tuple[Any, ...]]) -> None:
    several = [name for j, name in enumerate("abs") if len({row[j] for row in rows}) > 1]
    faults = Constant(("a", "b", "s")).check(table(rows))
    assert [fault.column for fault in faults] == several


def test_no_identifiers() -> None:
    faults = NoIdentifiers(("a", "who")).check(table([("a", 1, 1)]))
    assert [fault.column for fault in faults] == ["a"]
    assert NoIdentifiers(("who",)).check(table([("a", 1, 1)])) == []


@pytest.mark.parametrize(
    ("rule", "params", "message"),
    [
        ("k-anonymity", {"k": 1, "columns": ["a"]}, "k must be at least 2, not 1"),
        ("k-anonymity", {"k": 2, "columns": []}, "at least one column"),
        ("k-anonymity", {"columns": ["a"]}, "parameter 'k'"),
        ("l-diversity", {"l": 1, "columns": ["a"], "sensitive": ["s"]}, "l must be at least 2"),
        ("l-diversity", {"l": 2, "columns": [], "sensitive": ["s"]}, "needs quasi-identifiers"),
        ("l-diversity", {"l": 2, "columns": ["a"], "sensitive": []}, "needs quasi-identifiers"),
    ],
)
def test_rules_that_would_prove_nothing(rule: str, params: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        claim_checks.build(rule, params)


@pytest.mark.parametrize(
    "rule",
    [KAnonymity(2, ("z",)), LDiversity(2, ("a",), ("z",)), Constant(("z",))],
    ids=lambda rule: rule.name,
)
def test_a_missing_column_is_no_proof(rule: Any) -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'z'"):
        rule.check(table([("a", 1, 1)] * 3))


# --- releases

PEOPLE = sample_table(400, seed=1)


def broken(release: Release, column: str, value: Any, row: int = 7) -> Table:
    """The public part with one cell changed."""
    cells = release.public.frame[column].to_list()
    cells[row] = value
    series = pl.Series(column, cells)
    return release.public.with_frame(release.public.frame.with_columns(series))


def test_one_changed_cell_is_caught_and_the_smallest_group_named() -> None:
    release = Mondrian(5).anonymize(PEOPLE, rng=Randomness(1))
    require_claims(release.public, release.claims)
    spoiled = broken(release, "region", "Atlantis")
    with pytest.raises(ClaimError) as caught:
        require_claims(spoiled, release.claims)
    first = caught.value.faults[0]
    assert "only 1 row(s) have" in first.message.en
    assert "region=Atlantis" in first.message.en
    assert first.line == 7 + 2
    assert caught.value.exit_code == 1
    assert "nothing is written" in str(caught.value)


def test_other_claims_are_caught_too() -> None:
    unified = Unify(("region",)).anonymize(PEOPLE, rng=Randomness(1))
    with pytest.raises(ClaimError, match="column 'region' has 2 values; the claim says one"):
        require_claims(broken(unified, "region", "Atlantis"), unified.claims)
    averaged = Microaggregate(groups="mdav", k=4).anonymize(PEOPLE, rng=Randomness(1))
    with pytest.raises(ClaimError, match=r"only 1 row\(s\) have"):
        require_claims(broken(averaged, "food", -1.0), averaged.claims)


def test_a_later_step_that_undoes_an_earlier_one_is_caught() -> None:
    undone = Pipeline((Microaggregate(groups="mdav", k=4), Noise(0.1)))
    release = undone.anonymize(PEOPLE, rng=Randomness(1))
    with pytest.raises(ClaimError, match="a later step may have undone"):
        require_claims(release.public, release.claims)


def test_many_faults_are_capped_with_a_total() -> None:
    claim = Claim("k-anonymity", {"k": 2, "columns": ["food"]})
    total = len(claim_violations(PEOPLE, [claim]))
    assert total > MAX_SHOWN_VIOLATIONS
    with pytest.raises(ClaimError, match=f"and {total - MAX_SHOWN_VIOLATIONS} more") as caught:
        require_claims(PEOPLE, [claim])
    assert (len(caught.value.faults), caught.value.total) == (MAX_SHOWN_VIOLATIONS, total)


def test_the_checker_imports_nothing_of_the_makers() -> None:
    allowed = (
        "tokumei.tables.data.table",
        "tokumei.tables.data.weighted_rows",
        "tokumei.tables.data.class_sizes",
        "tokumei.tables.data.column_kinds",
        "tokumei.tables.data.schema",
        "tokumei.tables.engines.stream_files",
        "tokumei.tables.registry",
        "tokumei.tables.verification",
        "tokumei.core",
        "tokumei.files.column_types",
        "tokumei.files.spark.table_files",
    )
    home = Path(tokumei.tables.verification.__file__).parent
    files = list(home.rglob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                assert not name.startswith("tokumei") or name.startswith(allowed), (file, name)
