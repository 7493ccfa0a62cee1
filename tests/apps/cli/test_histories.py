"""Histories on the command line: the contract of interface and exit codes, on real files."""

from __future__ import annotations

import csv
import json
import stat
from pathlib import Path

import pytest

from apps.cli.histories_scene import made as made
from apps.cli.histories_scene import tokumei as tokumei


def lines(path):
    with Path(path).open(newline="", encoding="utf-8") as stream:
        return list(csv.reader(stream))


def test_from_history_to_verdict(tokumei, made):
    done = tokumei("publish", "--format", "pws2018", "--original", made["T"], "--release",
                   made["A"], "--public", made["A1"], "--secret", made["F"], "--k", "3",
                   "--json")  # fmt: skip
    assert json.loads(done.out)["people"] == 60
    public, truth = lines(made["A1"]), lines(made["F"])
    assert public == sorted(public, key=",".join)
    assert {row[0] for row in public} == {pid for pid, _ in truth}
    assert stat.S_IMODE(Path(made["F"]).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(made["A"]).stat().st_mode) == 0o600
    tokumei("attack", "--format", "pws2018", "--known", made["T"], "--public", made["A1"],
            "--method", "best", "--seed", "1", "--out", made["F1"])  # fmt: skip
    named = dict(lines(made["F1"]))
    hits = sum(named.get(pid) == cid for pid, cid in truth)
    done = tokumei("measure", "safety", "--format", "pws2018", "--original", made["T"],
                   "--release", made["A"], "--guess", made["F1"], "--json")  # fmt: skip
    found = json.loads(done.out)
    assert (found["tried"], found["hits"]) == (len(named), hits)
    assert found["unsafe"] == (hits >= found["threshold"])


def test_utility_of_a_release(tokumei, made):
    done = tokumei("measure", "utility", "--format", "pws2018", "--original", made["T"],
                   "--release", made["A"], "--json")  # fmt: skip
    found = json.loads(done.out)
    parts = [found[name] for name in ("day", "item", "price", "quantity")]
    assert found["loss"] == pytest.approx(sum(parts) / 4)
    assert 0 < found["rows_kept"] <= 1
    done = tokumei("measure", "utility", "--format", "pws2018", "--original", made["T"],
                   "--release", made["T"], "--json")  # fmt: skip
    assert json.loads(done.out)["loss"] == 0


def test_a_release_with_categories_is_checked_against_them(tokumei, made, tmp_path):
    mapping, out = str(tmp_path / "c.csv"), str(tmp_path / "AC.csv")
    told = ("categories", "--data", made["T"], "--items", made["items"], "--json")
    plain = json.loads(tokumei(*told, "--out", mapping).out)["categories"]
    fitted = json.loads(tokumei(*told, "--rules", "paper").out)["categories"]
    assert sum(plain.values()) == sum(fitted.values())
    assert plain != fitted
    tokumei("anonymize", "history", "--data", made["T"], "--format", "pws2018", "--k", "3",
            "--method", "rank-match", "--categories", mapping, "--seed", "1",
            "--out", out)  # fmt: skip
    check = ("check", "--format", "pws2018", "--original", made["T"], "--release", out, "--k", "3")
    tokumei(*check, "--categories", mapping)
    tokumei(*check, code=1)


def test_any_frame_by_naming_columns(tokumei, tmp_path):
    path = tmp_path / "sales.csv"
    rows = ["Who,When,What,Each,Many"]
    rows += [f'c{n % 4},2020-01-0{n % 9 + 1},"a,{n % 3}",1.125,{n % 2 + 1}' for n in range(24)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    public = tmp_path / "public.csv"
    tokumei("anonymize", "history", "--data", str(path), "--format", "table", "--columns",
            "customer=Who,day=When,item=What,price=Each,quantity=Many", "--method", "rank-match",
            "--k", "2", "--public", str(public))  # fmt: skip
    found = lines(public)
    assert found[0] == ["Who", "When", "What", "Each", "Many"], "the file's own names"
    assert {row[3] for row in found[1:]} == {"1.125"}


@pytest.mark.parametrize(
    ("text", "args", "code", "message"),
    [
        ("", ("--k", "2"), 2, "no purchases"),
        ("c1,2011/1/1,a,1,1\n", ("--k", "2"), 2, "there are 1"),
        ("c1,2011/1/1,a,1,1\nc2,2011/1/1,a,1,1\n", ("--k", "3"), 2, "there are 2"),
        ("c1,2011/1/1,a,1,1\nc2,2011/1/1,a,1,1\n", ("--k", "1"), 2, "at least 2"),
        ("c1,2011/1/1,a;b,1,1\nc2,2011/1/1,a,1,1\n", ("--k", "2"), 2, "'a;b'"),
        ("c1,2011/1/1,{a,1,1\nc2,2011/1/1,a,1,1\n", ("--k", "2"), 2, "'{a'"),
        ("c1,2011/1/1,a,1\n", ("--k", "2"), 2, "line 1"),
        ("c1,2011/1/x,a,1,1\n", ("--k", "2"), 2, "line 1, column 'day'"),
    ],
)
def test_bad_input_is_a_clear_error_and_leaves_nothing(
    tokumei, tmp_path, text, args, code, message
):
    path, out = tmp_path / "T.csv", tmp_path / "A.csv"
    path.write_text(text, encoding="utf-8")
    done = tokumei("anonymize", "history", "--data", str(path), "--method", "rank-match", *args,
                   "--out", str(out), code=code)  # fmt: skip
    assert message in done.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("command", "target"),
    [
        (("categories", "--by", "prefix:2", "--out", "sweep.csv"), "sweep.csv"),
        (("sweep", "--k", "2", "--out", "."), "sweep.csv"),
    ],
)
def test_no_result_replaces_what_was_read(tokumei, made, command, target):
    Path(target).write_bytes(Path(made["T"]).read_bytes())
    done = tokumei(command[0], "--data", target, *command[1:], code=2)
    assert "would replace" in done.err
    assert Path(target).read_bytes() == Path(made["T"]).read_bytes()


@pytest.mark.parametrize(
    "args",
    [
        ("sweep", "--k", "²"),
        ("sweep", "--k", "2-9999999"),
        ("sweep", "--method", ""),
        ("sweep", "--categories", "prefix:²"),
    ],
)
def test_odd_options_are_usage_errors(tokumei, made, args):
    tokumei(args[0], "--data", made["T"], *args[1:], code=2)


def test_samples_are_not_written_as_online_retail(tokumei):
    tokumei("sample", "history", "--format", "online-retail", "--out", "x.csv", code=2)


@pytest.mark.long
def test_a_tables_sweep_writes_no_page_about_histories(tokumei, tmp_path):
    tokumei("sample", "table", "--rows", "100", "--seed", "1", "--out", "x.csv")
    tokumei("sweep", "--format", "table", "--data", "x.csv", "--qi", "region", "--method",
            "mondrian", "--k", "2,5", "--attacks", "E1", "--out", "out")  # fmt: skip
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"sweep.csv", "sweep.json", "sweep.svg", "report.html"}
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "customers" not in page


def test_nothing_left_and_nobody_there_are_faults(tokumei, tmp_path):
    low, high = "2011/1/1,{},1,1", "2011/12/31,{},1000,1000"
    rows = [
        f"c{n % 130}," + (high if n % 130 % 3 == 0 else low).format(f"i{n}") for n in range(260)
    ]
    (tmp_path / "T.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = tokumei("anonymize", "history", "--data", "T.csv", "--method", "aligned", "--k", "101",
                   "--public", "P.csv", code=1)  # fmt: skip
    assert "nothing is left" in done.err
    assert not Path("P.csv").exists()
    Path("E.csv").write_text("", encoding="utf-8")
    tokumei("check", "--format", "pws2018", "--public", "E.csv", "--k", "2", code=1)


def test_a_customer_number_is_never_published(tokumei, made):
    done = tokumei("publish", "--original", made["T"], "--release", made["T"], "--public", "p.csv",
                   "--secret", "s.csv", code=1)  # fmt: skip
    assert "customers of the original" in done.err
    assert not Path("p.csv").exists()
