"""`tokumei ledger`: checks first, records last, and says what is wrong without naming anybody."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from apps.cli.ledger_scene import ROLES, added, apart, people, recipients, released
from apps.cli.ledger_scene import ledger as ledger


def test_a_release_that_breaks_the_joint_k_is_neither_written_nor_recorded(ledger):
    refused = released(ledger, "y2.csv", "B", method="local")
    assert refused.code == 1
    assert "joint class" in refused.err
    assert not Path("y2.csv").exists()
    assert not Path("y2-link.csv").exists()
    assert recipients(ledger) == ["A"]


@pytest.mark.long
def test_the_ways_out_keep_it(ledger):
    assert released(ledger, "y2.csv", "B", "--reuse", "r1", method="local").code == 0
    assert released(ledger, "y3.csv", "C", "--apart", "r1,r2", method="local").code == 0
    assert released(ledger, "y4.csv", "D", "--coarsen-of", "r1", k=12).code == 0
    found = ledger("ledger", "check", "L", "--joint-k", 4, "--json")
    assert found.code == 0
    assert found.json["linked"]["k_min"] >= 4
    assert "earlier" not in Path("y2.csv.manifest.json").read_text()
    assert ledger("ledger", "verify", "L").code == 0


@pytest.mark.long
def test_a_recorded_release_is_written_as_asked(ledger):
    assert released(ledger, "y2.csv", "B", "--reuse", "r1", "--bom", method="local").code == 0
    assert Path("y2.csv").read_bytes().startswith("\ufeffage".encode())
    wanted = ("--reuse", "r1", "--encoding-out", "utf-16")
    assert released(ledger, "y3.csv", "C", *wanted, method="local").code == 0
    assert Path("y3.csv").read_text("utf-16").startswith("age")


def test_people_of_a_class_that_lost_too_many_wait(ledger):
    people().head(70).write_csv("later.csv")
    refused = released(ledger, "y2.csv", "B", "--apart", "r1", data="later.csv")
    assert refused.code == 1
    done = released(ledger, "y2.csv", "B", "--apart", "r1", "--wait", data="later.csv")
    assert done.code == 0
    assert "rows are held back" in done.err
    assert ledger("ledger", "check", "L", "--json").json["linked"]["k_min"] >= 4


@pytest.mark.long
def test_what_a_release_would_add_is_said_before_it_leaves(ledger):
    apart(ledger, "y2.csv")
    options = ("--with", "y2.csv", "--secret", "y2-link.csv", "--data", "x.csv", *ROLES)
    found = ledger("ledger", "check", "L", *options, "--joint-k", 4, "--out", "p.html", "--json")
    assert found.code == 1
    assert found.json["linked"]["k_min"] < 4
    assert found.json["worst"]["releases"] == ["r1", "r2"]
    assert recipients(ledger) == ["A"]
    page = Path("p.html").read_text(encoding="utf-8")
    assert "not yet released" in page
    assert "未公開" in page
    assert "Person-" not in page


@pytest.mark.long
def test_the_same_seed_is_refused_and_would_not_align_rows(ledger):
    assert released(ledger, "y2.csv", "B", "--seed", 7).code == 0
    refused = released(ledger, "y3.csv", "C", "--seed", 7, "--reuse", "r1")
    assert refused.code == 2
    assert "seed" in refused.err
    for name, method in (("y4.csv", "mondrian"), ("y5.csv", "local")):
        apart(ledger, name, "--seed", 11, method=method)
        assert added(ledger, name, link=f"{name[:2]}-link.csv").code == 0
    tests = ledger("ledger", "check", "L", "--json").json["linkage"]
    order = [one["verdict"] for one in tests if one["test"] == "row-order"]
    assert len(order) >= 6
    assert set(order) == {"PASS"}


@pytest.mark.long
@pytest.mark.parametrize("methods", [("mondrian", "local"), ("mondrian", "mondrian")])
def test_the_same_key_does_not_align_rows(ledger, methods):
    """Two methods, or one with another k; `ledger check` proves it by the links."""
    assert ledger("key", "made.key").code == 0
    for number, method in enumerate(methods, 2):
        name = f"y{number}.csv"
        more = ("--key", "made.key", "--set", f"k={3 + number}")
        made = ("--method", method, "--out", name, "--secret", f"y{number}-link.csv", *more)
        assert ledger("anonymize", "table", "--data", "x.csv", *ROLES, *made).code == 0
        assert added(ledger, name, link=f"y{number}-link.csv").code == 0
    tests = ledger("ledger", "check", "L", "--json").json["linkage"]
    order = [one for one in tests if one["test"] == "row-order"]
    assert ["r2", "r3"] in [one["releases"] for one in order]
    assert {one["verdict"] for one in order} == {"PASS"}


def test_a_release_edited_after_it_was_recorded_is_found(ledger):
    with Path("y1.csv").open("a") as file:
        file.write("30,F,1,flu\n")
    found = ledger("ledger", "verify", "L", "--json")
    assert found.code == 1
    assert [one["rule"] for one in found.json["faults"]] == ["released-file"]


def test_ids_that_are_missing_or_written_otherwise(ledger):
    apart(ledger, "y2.csv")
    people().with_columns(id=pl.lit(None, dtype=pl.String)).write_csv("gone.csv")
    assert added(ledger, data="gone.csv").code == 2
    people().with_columns(id=pl.when(pl.col("age") > 30).then("id")).write_csv("some.csv")
    refused = added(ledger, data="some.csv")
    assert refused.code == 2
    assert "no id" in refused.err
    people(start=9000).write_csv("other.csv")
    warned = added(ledger, data="other.csv")
    assert warned.code == 0
    assert "less than 1 %" in warned.err


@pytest.mark.long
def test_people_with_several_rows_are_counted_as_people(ledger):
    twice = pl.concat([people(60), people(60, seed=1)])
    twice.write_csv("twice.csv")
    apart(ledger, "y2.csv", "--person", "none", data="twice.csv")
    done = added(ledger, data="twice.csv")
    assert done.code == 0
    assert "several rows" in done.err
    shown = ledger("ledger", "show", "L", "--json").json["releases"][1]
    assert (shown["people"], shown["repeated"], shown["rows"]) == (60, 60, 120)


@pytest.mark.long
def test_cells_of_other_tools_and_nulls(ledger):
    people().select("age", "sex", "area", "ill").with_columns(
        age=pl.format("{}-{}", pl.col("age") // 10 * 10, pl.col("age") // 10 * 10 + 9),
        area=pl.when(pl.col("area") > 4).then(pl.lit("*")).otherwise(pl.lit("[1, 5[")),
    ).write_csv("other-tool.csv")
    rows = "\n".join(f"{i},{i}" for i in range(120))
    Path("own.csv").write_text(f"released,original\n{rows}\n")
    assert added(ledger, "other-tool.csv", link="own.csv", k="2").code == 0
    found = ledger("ledger", "check", "L", "--json").json
    assert found["unlinked"]["truth_inside"] == 1.0
    assert {one["test"]: one["verdict"] for one in found["linkage"]}["linkage-attack"] == "FAIL"


@pytest.mark.long
def test_public_files_alone_give_unlinked_figures(ledger):
    apart(ledger, "y2.csv")
    files = ("--release", "y2.csv", "--data", "x.csv", "--recipient", "B")
    assert ledger("ledger", "add", "L", *files, *ROLES).code == 0
    found = ledger("ledger", "check", "L", "--json").json
    assert found["unlinked"]["people"] == 120
    assert found["pairs"] == []
    assert released(ledger, "y3.csv", "C", "--reuse", "r2").code == 2


def test_a_person_in_no_release_and_unknown_names(ledger):
    pl.DataFrame({"id": ["Person-99999"]}).write_csv("nobody.csv")
    done = ledger("ledger", "forget", "L", "--people", "nobody.csv", "--id", "id", "--json")
    assert done.json["found"] == 0
    assert ledger("ledger", "check", "L", "--coalition", "Z").code == 2
    assert released(ledger, "y2.csv", "B", "--reuse", "r9").code == 2
    assert released(ledger, "y1.csv", "B", "--name", "r1").code == 2


def test_options_of_the_ledger_need_one(tokumei):
    people().write_csv("x.csv")
    made = ("--data", "x.csv", *ROLES, "--out", "y.csv")
    assert tokumei("anonymize", "table", *made, "--reuse", "r1").code == 2
    assert tokumei("anonymize", "table", *made, "--recipient", "A").code == 2
    assert tokumei("ledger", "show", "nowhere").code == 2


def test_no_message_and_no_file_tells_an_id_or_a_value(ledger):
    apart(ledger, "y2.csv")
    said = [added(ledger), ledger("ledger", "check", "L"), ledger("ledger", "show", "L")]
    key = Path("L.key").read_text().strip()
    for one in said:
        for secret in ("Person-", "ulcer", key):
            assert secret not in one.out + one.err
    lines = Path("L/ledger.jsonl").read_text()
    assert "Person-" not in lines
    assert "ulcer" not in lines
    assert [json.loads(line)["event"] for line in lines.splitlines()][-1] == "released"


def month(ledger, rows, seed=3):
    """The people of x.csv without some, and with some new ones."""
    rng = np.random.default_rng(seed)
    stay = people().filter(pl.Series(rng.random(120) < 0.9))
    pl.concat([stay, people(rows, seed=9, start=500)]).write_csv("later.csv")


def shown(public, link, data):
    """For everyone, the values in the class of their row, as somebody would count them."""
    rows = pl.read_csv(public, infer_schema=False)
    of = pl.read_csv(link)
    ids = pl.read_csv(data)["id"]
    classes = rows.select(pl.concat_str("age", "sex", "area", separator="|")).to_series().to_list()
    values = {}
    for name, ill in zip(classes, rows["ill"], strict=True):
        values.setdefault(name, set()).add(ill)
    original = dict(zip(of["released"].to_list(), of["original"].to_list(), strict=True))
    return {ids[original[row]]: values[name] for row, name in enumerate(classes)}


@pytest.mark.parametrize("rows", [0, 25])
def test_classes_show_the_values_they_showed(ledger, rows):
    """m-invariance enforced: brute force over the public files."""
    month(ledger, rows)
    plain = released(ledger, "y2.csv", "B", "--reuse", "r1", data="later.csv")
    assert plain.code == 0
    before = shown("y1.csv", "y1-link.csv", "x.csv")
    now = shown("y2.csv", "y2-link.csv", "later.csv")
    assert any(before[one] != now[one] for one in before.keys() & now.keys())
    done = released(
        ledger,
        "y3.csv",
        "C",
        "--reuse",
        "r1",
        "--invariant",
        2,
        "--coalition",
        "A",
        data="later.csv",
    )
    assert done.code == 0, done.err
    now = shown("y3.csv", "y3-link.csv", "later.csv")
    both = before.keys() & now.keys()
    assert len(both) > 40
    assert all(before[one] == now[one] for one in both)
    assert min(len(one) for one in now.values()) >= 2
    found = ledger("ledger", "check", "L", "--coalition", "A,C", "--json").json
    assert found["invariance"]["holds"]
    assert found["linked"]["k_min"] >= 4


def test_invariance_needs_reuse_and_two_values(ledger):
    assert released(ledger, "y2.csv", "B", "--invariant", 2).code == 2
    assert released(ledger, "y2.csv", "B", "--reuse", "r1", "--invariant", 1).code == 2
