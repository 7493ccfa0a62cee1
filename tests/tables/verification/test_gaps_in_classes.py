"""An empty cell shows no value: the diversity of classes with gaps, enforced and verified."""

from __future__ import annotations

import math
import random
from pathlib import Path

import polars as pl
import pytest

from fuzz.judged import run
from independent.cells import Cells
from independent.claims import broken
from support.guarded_methods import METHODS, Make
from tokumei.core.errors import InputError
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.data.table import Release, Table
from tokumei.tables.registry import claim_checks
from tokumei.tables.verification.claims import claim_violations

CLAIMS = {
    "l=2": Claim("l-diversity", {"l": 2}),
    "l=3": Claim("l-diversity", {"l": 3}),
    "entropy-l=1.8": Claim("entropy-l-diversity", {"l": 1.8}),
    "recursive=2,2": Claim("recursive-l-diversity", {"c": 2.0, "l": 2}),
}


GAPS = (None, "")


def claim_of(text: str) -> Claim:
    return Claim(
        CLAIMS[text].rule, {**CLAIMS[text].params, "columns": ["a", "b"], "sensitive": ["s"]}
    )


def holds(text: str, cells: list[str | None]) -> bool:
    """By the definition, of the cells of one class that hold something."""
    counts = sorted((cells.count(v) for v in set(cells) - {None, ""}), reverse=True)
    if text.startswith("entropy"):
        return -sum(n / sum(counts) * math.log(n / sum(counts)) for n in counts) >= math.log(1.8)
    if text.startswith("recursive"):
        return bool(counts) and counts[0] < 2 * sum(counts[1:])
    return len(counts) >= int(text[-1])


def with_gaps(seed: int, rows: int = 40) -> pl.DataFrame:
    chance = random.Random(seed)
    values = [*GAPS, *GAPS, "flu", "flu", "cold", "asthma"]
    cells = [
        (chance.randint(0, 5), chance.choice("pqr"), chance.choice(values)) for _ in range(rows)
    ]
    return pl.DataFrame(cells, schema=["a", "b", "s"], orient="row")


def classes_of(frame: pl.DataFrame) -> dict[tuple[object, ...], list[str | None]]:
    classes: dict[tuple[object, ...], list[str | None]] = {}
    for a, b, s in frame.select("a", "b", "s").iter_rows():
        classes.setdefault((a, b), []).append(s)
    return classes


@pytest.mark.parametrize("text", CLAIMS)
def test_rule_and_independent_verifier_equal_the_definition(text: str) -> None:
    caught = 0
    for seed in range(12):
        frame = with_gaps(seed)
        bad = {key for key, cells in classes_of(frame).items() if not holds(text, cells)}
        table, claim = Table.of(frame, qi=["a", "b"], sa=["s"]), claim_of(text)
        faults = claim_checks.build(claim.rule, claim.params).check(table)
        assert {frame.row(fault.line - 2)[:2] for fault in faults} == bad
        cells = Cells(frame.columns, [list(row) for row in frame.iter_rows()])
        assert bool(broken(cells, {"rule": claim.rule, "params": dict(claim.params)})) == bool(bad)
        caught += len(bad)
    assert caught


def made(make: Make, frame: pl.DataFrame, text: str) -> Release:
    table = Table.of(frame, qi=["a", "b"], sa=["s"])
    return make(k=2, conditions=(text,)).anonymize(table, rng=Randomness(1))


@pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)
def test_every_method_keeps_its_word_where_cells_are_empty(make: Make) -> None:
    several = 0
    for seed, text in enumerate(CLAIMS):
        released = made(make, with_gaps(seed, 60), text)
        found = classes_of(released.public.frame)
        assert all(holds(text, cells) for cells in found.values())
        assert claim_violations(released.public, released.claims) == []
        several += len(found) > 1
    assert several


@pytest.mark.parametrize("text", CLAIMS)
def test_gaps_alone_are_not_diverse(text: str) -> None:
    frame = pl.DataFrame({"a": [1] * 6, "b": ["p"] * 6, "s": ["flu"] * 2 + [None, "", None, ""]})
    with pytest.raises(InputError, match="not even all rows as a single class"):
        made(METHODS["mondrian"], frame, text)


def test_numbers_with_gaps_too(tmp_path: Path) -> None:
    """On disk and in memory: three classes of which one shows a single number beside its gaps."""
    rows = [(a, s) for a, some in enumerate(["1 2 ", "5  ", "7 8 9"]) for s in some.split(" ")]
    source = tmp_path / "t.csv"
    source.write_text("a,s\n" + "".join(f"{a},{s}\n" for a, s in rows), encoding="utf-8")
    base = ["anonymize", "table", "--data", str(source), "--qi", "a", "--sa", "s", "--k", "3"]
    for engine in ("local", "stream"):
        out = tmp_path / f"{engine}.csv"
        ran = run([*base, "--l", "2", "--engine", engine, "--out", str(out)])
        assert ran.code == 0, ran.err
        seen: dict[str, set[str]] = {}
        for line in out.read_text(encoding="utf-8").splitlines()[1:]:
            a, _, s = line.rpartition(",")
            seen.setdefault(a, set()).add(s)
        assert len(seen) == 2
        assert all(len(values - {""}) >= 2 for values in seen.values())
    ran = run(["check", "--release", str(source), "--qi", "a", "--sa", "s", "--k", "3", "--l", "2"])
    assert ran.code == 1
    assert "1 value of 's'" in ran.out + ran.err
