"""Texts of many values leave along a hierarchy or as `*`, not as lists, unless asked for."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from independent.verifier import verify
from tokumei.core.errors import InputError
from tokumei.tables.anonymization.default_hierarchies import add_default_hierarchies
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.typed_hierarchies import (
    build_typed_hierarchy,
    detect_text_hierarchy,
)
from tokumei.tables.profiling.profiler import look

ROWS = 120
PREFECTURES = ("東京都", "神奈川県", "大阪府", "京都府", "北海道", "福岡県")


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


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["100-0001", "1500002", "530-0001"], "postal"),
        (["SW1A 1AA", "M1 1AE", "EC1A 1BB", "b33 8th"], "postcode"),
        (["94103-1234", "10001-0001", "60601-1111"], "postcode"),
        (["1012 AB", "3511 CD", "9711 XY"], "postcode"),
        (["94103-1234", "941-0001", "10001-0001"], None),
        (list(PREFECTURES), "prefecture"),
        ([f"A{i:03d}" for i in range(30)], "codes"),
        ([f"word {chr(97 + i)}" for i in range(21)], "suppress"),
        ([f"word {chr(97 + i)}" for i in range(20)], None),
    ],
)
def test_values_tell_which_hierarchy_suits(values: list[str], name: str | None) -> None:
    assert detect_text_hierarchy(pl.Series("x", [*values, None, ""])) == name


def test_levels_of_the_known_kinds() -> None:
    def path(name: str, series: pl.Series) -> list[str]:
        return list(build_typed_hierarchy(name, series).frame().row(0))

    assert path("postal", pl.Series("z", ["1000001"])) == ["1000001", "100*", "10*", "1*", "*"]
    english = ["SW1A 1AA", "SW1A*", "SW*", "*"]
    assert path("postcode", pl.Series("z", ["SW1A 1AA"])) == english
    american = ["94103-1234", "94103*", "941*", "9*", "*"]
    assert path("postcode", pl.Series("z", ["94103-1234"])) == american
    assert path("postcode", pl.Series("z", ["00-950"])) == ["00-950", "00*", "0*", "*"]
    days = pl.Series("d", ["1987-03-04"]).str.to_date()
    known = ["1987-03-04", "1987-03", "1987", "[1985;1989]", "1980s", "*"]
    assert path("calendar", days) == known
    assert path("age-bands", pl.Series("a", [37])) == ["37", "[35;39]", "[30;39]", "[20;39]", "*"]
    place = path("degrees", pl.Series("l", [35.6812]))
    assert place == ["35.6812", "[35.68;35.69]", "[35.6;35.7]", "[35;36]", "*"]


def test_other_codes_are_no_postcodes() -> None:
    with pytest.raises(InputError, match="not a postal code in two parts"):
        build_typed_hierarchy("postcode", pl.Series("z", ["SW1A 1AA", "somewhere"]))


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
    assert getattr(made, "hierarchies", None) == {"年齢": "age-bands", "size": "auto"}


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
