from pathlib import Path

import pytest

AGES = "age,sex,zip,born\n" + "".join(
    f"{17 + i},{'mf'[i % 2]},{10000 + 317 * i},{1950 + i}-0{1 + i % 9}-15\n" for i in range(40)
)


@pytest.fixture
def people(tokumei):
    Path("x.csv").write_text(AGES)
    return tokumei


def build(run, *options, column="age"):
    return run(
        *("hierarchy", "build", "--data", "x.csv", "--column", column, "--out", "h.csv"),
        *options,
        "--json",
    )


@pytest.mark.parametrize(
    ("options", "column", "kind", "first"),
    [
        ([], "age", "auto", '17;"[16;17]";"[10;19]";"[0;19]";*'),
        (["--width", "5,10,20"], "age", "intervals", '17;"[15;19]";"[10;19]";"[0;19]";*'),
        (
            ["--kind", "intervals", "--cuts", "0,18,65", "--cuts", "0,65"],
            "age",
            "intervals",
            '17;"[0;17]";"[0;65]";*',
        ),
        (["--quantiles", "4,2"], "age", "intervals", '17;"[17;26]";"[17;36]";*'),
        (["--kind", "dates"], "born", "dates", "1950-01-15;1950-01;1950-Q1;1950;1950s;*"),
        (["--levels", "year"], "born", "dates", "1950-01-15;1950;*"),
        (["--lengths", "3,1"], "zip", "prefix", "10000;100*;1*;*"),
        (["--kind", "merge", "--fanout", "2"], "sex", "merge", "f;*"),
        (["--order", "m,f"], "sex", "merge", "m;*"),
    ],
)
def test_build(people, options, column, kind, first):
    ran = build(people, *options, column=column)
    assert ran.code == 0, ran.err
    assert ran.json["kind"] == kind
    assert Path("h.csv").read_text().splitlines()[0] == first
    checked = people(
        *("hierarchy", "check", "--hierarchy", "h.csv", "--data", "x.csv", "--column", column),
        "--json",
    )
    assert checked.code == 0
    assert checked.json == {"ok": True, "total": 0, "faults": [], "notes": []}


@pytest.mark.parametrize(
    "options",
    [
        ["--kind", "prefix"],
        ["--kind", "dates", "--width", "5"],
        ["--width", "5", "--fanout", "3"],
        ["--width", "5,7"],
        ["--kind", "sorcery"],
    ],
)
def test_wrong_options_exit_with_2(people, options):
    ran = build(people, *options)
    assert ran.code == 2
    assert not Path("h.csv").exists()


def test_an_unknown_column_names_the_nearest(people):
    ran = build(people, column="aeg")
    assert ran.code == 2
    assert "'age'" in ran.err


def test_check_lists_faults(people):
    Path("h.csv").write_text("17;A;*\n18;A;x\n19;B;*\n17;B;*\n")
    ran = people("hierarchy", "check", "--hierarchy", "h.csv", "--json")
    assert ran.code == 1
    assert ran.json["total"] == 2
    assert [(f["line"], f["rule"]) for f in ran.json["faults"]] == [
        (2, "hierarchy-star"),
        (4, "hierarchy-leaf"),
    ]
    assert set(ran.json["faults"][0]) == {"line", "column", "rule", "message_en", "message_ja"}
    spoken = people("hierarchy", "check", "--hierarchy", "h.csv", "--lang", "ja")
    assert "誤り 2 件" in spoken.out


def test_check_lists_all_missing_values(people):
    Path("h.csv").write_text("17;*\n18;*\n")
    ran = people(
        "hierarchy", "check", "--hierarchy", "h.csv", "--data", "x.csv", "--column", "age", "--json"
    )
    assert ran.code == 1
    assert ran.json["total"] == len(ran.json["faults"]) == 38
    assert ran.json["faults"][0]["rule"] == "hierarchy-missing"


def test_check_completes_and_notes(people):
    Path("h.csv").write_text("a;A\nb\nb\n")
    assert people("hierarchy", "check", "--hierarchy", "h.csv").code == 1
    ran = people("hierarchy", "check", "--hierarchy", "h.csv", "--complete")
    assert ran.code == 0
    assert "1 row repeats" in ran.err


@pytest.mark.parametrize(
    "args",
    [
        ["check"],
        ["check", "--hierarchy", "none.csv"],
        ["check", "--hierarchy", "x.csv", "--data", "x.csv"],
        ["show"],
        ["show", "--builtin", "sex", "--hierarchy", "x.csv"],
        ["show", "--builtin", "sex", "--out", "tree.png"],
        ["show", "--builtin", "sex", "--data", "x.csv", "--column", "sex"],
        ["export", "--builtin", "sex"],
        ["export", "--builtin", "sexes", "--out", "h.csv"],
        ["export", "--builtin", "sex", "--first", "1", "--out", "h.csv"],
    ],
)
def test_what_cannot_be_done_exits_with_2(people, args):
    ran = people("hierarchy", *args, "--json")
    assert ran.code == 2
    assert ran.json["ok"] is False


def test_show_prints_a_tree_with_rows(people):
    Path("h.yaml").write_text("Adult: {A: [m], B: [f]}\n")
    ran = people("hierarchy", "show", "--hierarchy", "h.yaml", "--data", "x.csv", "--column", "sex")
    assert ran.out.splitlines() == [
        "*  40 rows",
        "  Adult  40 rows",
        "    A  20 rows",
        "      m  20 rows",
        "    B  20 rows",
        "      f  20 rows",
    ]


def test_export(tokumei):
    ran = tokumei("hierarchy", "export", "--builtin", "prefecture", "--out", "p.csv", "--json")
    assert ran.json == {
        "out": "p.csv",
        "column": "prefecture",
        "height": 2,
        "levels": [47, 8, 1],
    }
    lines = Path("p.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 47
    assert lines[26] == "大阪府;近畿;*"
    tokumei("hierarchy", "export", "--hierarchy", "p.csv", "--out", "p.yaml")
    tokumei("hierarchy", "export", "--hierarchy", "p.yaml", "--out", "q.csv")
    assert Path("q.csv").read_text(encoding="utf-8").splitlines() == lines


def test_export_lists_what_is_built_in(tokumei):
    assert "prefecture: 47 prefectures → 8 regions" in tokumei("hierarchy", "export").out
    listed = tokumei("hierarchy", "export", "--json").json
    assert listed["sex"] == {"en": "two sexes", "ja": "男女"}


@pytest.mark.parametrize("command", ["build", "check", "show", "export"])
@pytest.mark.parametrize(("lang", "word"), [("en", "Example:"), ("ja", "例:")])
def test_help_has_an_example(tokumei, command, lang, word):
    ran = tokumei("hierarchy", command, "--help", "--lang", lang)
    assert ran.code == 0
    assert word in ran.out
