"""Texts of many values leave along a hierarchy or as `*`, not as lists, unless asked for."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from independent.verifier import verify
from tables.anonymization.default_hierarchies_helpers import PREFECTURES
from tokumei.tables.anonymization.default_hierarchies import add_default_hierarchies
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.profiler import look

ROWS = 120


def people(rows: int = ROWS) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "zip": [f"{100 + i % 7:03d}-{(i * 37) % 1000:04d}" for i in range(rows)],
            "pref": [PREFECTURES[i % 6] for i in range(rows)],
            "hobby": [f"趣味{chr(0x3042 + i % 40)}" for i in range(rows)],
            "size": [("S", "M", "L")[i % 3] for i in range(rows)],
            "age": [20 + i % 50 for i in range(rows)],
        }
    )


def cells(frame: pl.DataFrame, name: str) -> set[str]:
    return set(frame[name].cast(pl.String))


def test_no_list_leaves_by_default() -> None:
    release = tk.anonymize(people(), "mondrian", k=4, qi=["zip", "pref", "hobby", "size"], seed=1)
    public = release.public.frame
    for name in ("zip", "pref", "hobby"):
        assert not any(cell.startswith("{") for cell in cells(public, name))
    assert public.group_by("zip", "pref", "hobby", "size").len()["len"].min() >= 4
    assert any(cell.startswith("{") for cell in cells(public, "size") | {"{"})
    listed = tk.anonymize(people(), "mondrian", k=4, qi=["zip", "hobby"], sets=["all"], seed=1)
    assert any(cell.startswith("{") for cell in cells(listed.public.frame, "hobby"))


def test_a_class_gets_the_lowest_node_above_it() -> None:
    """Against a plain search for the longest prefix of those that the hierarchy has."""
    frame = people().select("zip", "age")
    method = Mondrian(k=4, hierarchies={"zip": "postal"})
    table = Table.of(frame, qi=["zip"])
    public = method.anonymize(table, rng=tk.Randomness(1), shuffle=False).public.frame
    members: dict[str, set[str]] = {}
    for before, after in zip(frame["zip"], public["zip"], strict=True):
        members.setdefault(after, set()).add(before)
    for cell, codes in members.items():
        if len(codes) == 1:
            assert cell == codes.pop()
            continue
        shared = max((n for n in (0, 1, 2, 3) if len({c[:n] for c in codes}) == 1), default=0)
        assert cell == next(iter(codes))[:shared] + "*"


def test_gaps_have_a_node_of_their_own() -> None:
    frame = (
        people()
        .select("zip", "age")
        .with_columns(zip=pl.when(pl.int_range(ROWS) % 5 == 0).then(None).otherwise("zip"))
    )
    release = tk.anonymize(frame, "mondrian", k=4, qi=["zip"], seed=1)
    assert release.public.frame["zip"].null_count() in (0, 24)


def test_declared_hierarchies_orders_and_sets_stay() -> None:
    table = Table.of(people(), qi=["zip", "hobby", "age"])
    for method in (Flash(k=3, hierarchies={"zip": "codes", "hobby": "auto", "age": "age"}),):
        assert add_default_hierarchies(method, table) is method
    plain = Mondrian(k=3)
    assert add_default_hierarchies(plain, table, ("all",)) is plain
    given = add_default_hierarchies(plain, table, ("hobby",))
    assert isinstance(given, Mondrian)
    assert given.hierarchies == {"zip": "postal"}
    numbers = Table.of(people(), qi=["age", "size"])
    assert add_default_hierarchies(plain, numbers) is plain


def test_methods_with_hierarchies_take_ages_from_the_look() -> None:
    frame = people().rename({"age": "年齢"})
    table = Table.of(frame, qi=["年齢", "size"])
    made = add_default_hierarchies(Flash(k=3), table, (), look(frame))
    assert getattr(made, "hierarchies", None) == {"年齢": "age-bands", "size": "scale"}


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_the_command_says_it_and_the_release_can_be_read(engine: str, tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    people().write_csv(source)
    base = ["anonymize", "table", "--data", str(source), "--qi", "zip,hobby,age", "--k", "4"]
    link = str(tmp_path / "link.csv")
    ran = run([*base, "--engine", engine, "--out", str(out), "--secret", link, "--pass", "pref"])
    assert ran.code == 0, ran.err
    if engine == "local":
        assert "zip is generalized by 3, 2 and 1 digits (--sets zip lists values instead)" in (
            ran.out + ran.err
        )
    assert verify(out, original=source, link=link).ok
    assert json.loads(Path(f"{out}.manifest.json").read_text())["hierarchies"] == {
        "zip": "postal",
        "hobby": "suppress",
    }
    told = run(["attack", "--original", str(source), "--release", str(out), "--truth", link])
    assert told.code == 0, told.err
