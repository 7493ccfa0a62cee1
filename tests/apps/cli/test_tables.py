"""The table commands, on the paper's example and on generated data."""

import json
from pathlib import Path

import polars as pl
import pytest

from apps.cli.tables_samples import attack, make_sample


def test_the_papers_rates_in_file_order(tokumei, paper):
    b = attack(tokumei, paper, "b.csv", "--as-is", "--expected")
    assert (b["E1"]["rate"], b["E3"]["rate"], b["EUC1"]["rate"]) == (0.5, 1.0, 1.0)
    d = attack(tokumei, paper, "d.csv", "--as-is", "--expected")
    assert (d["E1"]["rate"], d["EUC1"]["rate"]) == (0.375, 1.0)
    f = attack(tokumei, paper, "f.csv", "--as-is", "--expected")
    assert [f[name]["rate"] for name in ("E2", "E3", "EUC1")] == [0.5, 0.5, 0.5]


def test_an_attack_has_rate_interval_baseline_and_the_strongest_is_named(tokumei, paper):
    found = attack(tokumei, paper, "b.csv", "--seed", "1")
    for rate in found.values():
        assert rate["low"] <= rate["rate"] <= rate["high"]
        assert rate["baseline"] == 0.25
    assert found["strongest"]["attack"] in found
    assert found["strongest"]["rate"] == max(r["rate"] for r in found.values())


def test_only_the_attacks_asked_for(tokumei, paper):
    found = attack(tokumei, paper, "b.csv", "--methods", "E1,EUC2")
    assert set(found) == {"E1", "EUC2", "strongest"}


@pytest.mark.parametrize(
    ("release", "values"),
    [
        ("b.csv", {"U1": 1.25, "U2": 13.75, "U3": 0, "U4": 0.1139, "U5": 0.0406}),
        ("d.csv", {"U1": 0, "U2": 233.3333, "U3": 1.3333, "U4": 0, "U5": 0}),
        ("f.csv", {"U1": 0, "U2": 0, "U3": 0, "U4": 0.2929, "U5": 0.2708}),
    ],
)
def test_the_papers_utilities(tokumei, paper, release, values):
    ran = tokumei(
        "measure", "utility", "--format", "table", "--original", "x.csv",
        "--release", release, *paper, "--json",
    )  # fmt: skip
    assert {name: ran.json[name] for name in values} == pytest.approx(values, abs=5e-5)
    assert {"U6", "S1", "S2", "dm", "c_avg", "gcp_sets", "rows_kept"} <= set(ran.json)


def test_the_public_manifest_keeps_seed_and_source_secret(tokumei):
    roles = make_sample(tokumei)
    tokumei(
        "anonymize", "table", "--data", "s.csv", *roles, "--method", "noise", "--seed", 987654,
        "--out", "y.csv", "--secret", "link.csv",
    )  # fmt: skip
    secret = json.loads(Path("link.csv.provenance.json").read_text())
    assert secret["seed"] == 987654
    public = Path("y.csv.manifest.json").read_text()
    assert "987654" not in public
    assert secret["source_sha256"] not in public
    assert json.loads(public)["provenance"]["randomness"] == "seeded"


def test_shuffled_unless_told_otherwise(tokumei):
    roles = make_sample(tokumei)
    base = [
        "anonymize",
        "table",
        "--data",
        "s.csv",
        *roles,
        "--method",
        "swap",
        "--secret",
        "l.csv",
    ]
    tokumei(*base, "--out", "a.csv", "--keep-order")
    assert pl.read_csv("l.csv")["original"].to_list() == list(range(300))
    tokumei(*base, "--out", "b.csv")
    assert pl.read_csv("l.csv")["original"].to_list() != list(range(300))


def test_separator_and_compression_are_kept(tokumei):
    Path("x.csv").write_text("a;b\n" + "1;2\n" * 5)
    tokumei(
        "anonymize",
        "table",
        "--data",
        "x.csv",
        "--qi",
        "a",
        "--sa",
        "b",
        "--k",
        2,
        "--out",
        "y.csv",
    )
    assert Path("y.csv").read_text().startswith("a;b\n")
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "a", "--sa", "b", "--k", 2,
        "--out", "y.parquet",
    )  # fmt: skip
    assert ran.code == 0
    assert pl.read_parquet("y.parquet").shape == (5, 2)


def test_pipelines_by_name_and_settings(tokumei):
    roles = make_sample(tokumei)
    ran = tokumei(
        "anonymize", "table", "--data", "s.csv", *roles, "--method", "unify,mondrian",
        "--set", "unify.columns=[earners]", "--set", "mondrian.k=7", "--out", "y.csv", "--json",
    )  # fmt: skip
    assert [claim["rule"] for claim in ran.json["claims"]] == ["constant", "k-anonymity"]


def test_a_claim_undone_by_a_later_step_is_refused(tokumei):
    roles = make_sample(tokumei)
    ran = tokumei(
        "anonymize", "table", "--data", "s.csv", *roles, "--method", "mondrian,delete",
        "--set", "delete.share=0.5", "--out", "y.csv", "--json", "--seed", 3,
    )  # fmt: skip
    assert ran.code == 1
    assert ran.json["error"] == "ClaimError"
    assert ran.json["total"] > 0
    assert "k = 5 needed" in ran.json["faults"][0]["message_en"]
    assert not Path("y.csv").exists()


@pytest.mark.parametrize("args", [["attack"], ["measure", "utility"], ["diagnose"]])
def test_tables_for_people(tokumei, paper, args):
    ran = tokumei(*args, "--original", "x.csv", "--release", "b.csv", *paper)
    assert ran.code == 0
    assert "U1" in ran.out or "EUC2" in ran.out
    japanese = tokumei(*args, "--original", "x.csv", "--release", "b.csv", *paper, "--lang", "ja")
    assert any("ぁ" <= char <= "ヿ" or "一" <= char <= "鿿" for char in japanese.out)


def test_inferred_roles_are_printed(tokumei):
    make_sample(tokumei)
    asked = ("--data", "s.csv", "--no-roles", "--k", 3, "--out", "y.csv")
    ran = tokumei("anonymize", "table", *asked)
    assert "household_size: quasi-identifier, integer (the name indicates count" in ran.err
    assert "food: sensitive, integer" in ran.err


def test_json_leaves_stdout_to_json(tokumei):
    make_sample(tokumei)
    ran = tokumei("anonymize", "table", "--data", "s.csv", "--k", 3, "--out", "y.csv", "--json")
    assert ran.json["rows"] == 300
    assert Path("y.csv.manifest.json").exists()


def test_names_from_a_recipe_are_never_markup(tokumei):
    Path("r.yaml").write_text(
        "data: {sample: {rows: 60, seed: 1}}\n"
        "releases: [{name: '[/x] six', steps: [{method: swap}]}]\n"
    )
    ran = tokumei("run", "r.yaml", "--out", "o")
    assert ran.code == 0
    assert "[/x] six" in ran.out


def test_an_identifier_that_would_pass_stops_the_release(tokumei):
    Path("x.csv").write_text("name,age,pay\n" + "".join(f"n{i},30,{i}\n" for i in range(9)))
    command = ["anonymize", "table", "--data", "x.csv", "--qi", "age", "--sa", "pay", "--k", 2]
    ran = tokumei(*command, "--out", "y.csv")
    assert ran.code == 1
    assert "'name' seems to be of type 'name'" in ran.err
    assert "--id name" in ran.err
    assert "--pass name" in ran.err
    assert not Path("y.csv").exists()
    ran = tokumei(*command, "--out", "y.csv", "--id", "name")
    assert ran.code == 0
    assert "dropped: name" in ran.err
    assert Path("y.csv").read_text().startswith("age,pay\n")


def test_thresholds_of_the_symbols_can_be_set(tokumei, paper):
    command = ["diagnose", "--original", "x.csv", "--release", "b.csv", *paper, "--json"]
    usual, strict = (
        {row["measure"]: row["measured"] for row in tokumei(*command, *more).json["table"]}
        for more in ((), ("--harm", "0.000001"))
    )
    assert (usual["U1"], strict["U1"]) == ("△", "×")


def test_numeric_codes_can_be_categories(tokumei):
    Path("x.csv").write_text("job,pay\n" + "".join(f"{i % 6},{i}\n" for i in range(12)))
    command = ["anonymize", "table", "--data", "x.csv", "--qi", "job", "--sa", "pay", "--k", 3]
    tokumei(*command, "--out", "y.csv")
    assert "[0;2]" in Path("y.csv").read_text()
    tokumei(*command, "--out", "y.csv", "--kind", "job=category")
    assert "{0;1;2}" in Path("y.csv").read_text()
    assert tokumei(*command, "--out", "y.csv", "--kind", "job").code == 2


def test_the_expected_rate_of_euc1_does_not_depend_on_the_shuffle(tokumei, paper):
    """Two rows of D match (1 each), two answer any of four numbers: (2 + 2/4) / 4."""
    for seed in range(4):
        found = attack(tokumei, paper, "d.csv", "--methods", "EUC1", "--expected", "--seed", seed)
        assert found["EUC1"]["rate"] == 0.625


def test_the_original_is_never_overwritten(tokumei):
    roles = make_sample(tokumei)
    before = Path("s.csv").read_bytes()
    ran = tokumei("anonymize", "table", "--data", "s.csv", *roles, "--k", 3, "--out", "./s.csv")
    assert ran.code == 2
    assert Path("s.csv").read_bytes() == before


def test_every_unknown_column_is_named(tokumei):
    make_sample(tokumei)
    ran = tokumei("check", "--release", "s.csv", "--qi", "regoin,earnrs,region", "--k", 2)
    assert "Did you mean 'region'?" in ran.err
    assert "Did you mean 'earners'?" in ran.err


@pytest.mark.parametrize(
    "command", [["methods"], ["measure", "utility", "--original", "x.csv", "--release", "b.csv"]]
)
def test_every_command_takes_a_seed(tokumei, paper, command):
    more = paper if command[0] == "measure" else []
    assert tokumei(*command, *more, "--seed", 1, "--json").code == 0


@pytest.mark.data
def test_hierarchies_give_ncp_and_prec(tokumei, real_data):
    """The page's full-domain optimum of Adult at k = 5: levels 0 4 1 2 3 2 0 0, NCP .625."""
    adult = real_data / "adult"
    names = "sex,age,race,marital-status,education,native-country,workclass,salary-class"
    common = ["--qi", names, "--hierarchies", str(adult / "adult_hierarchy_{column}.csv")]
    made = tokumei("anonymize", "table", "--data", adult / "adult.csv", *common, "--method",
                   "flash", "--k", "5", "--out", "y.csv", "--secret", "link.csv")  # fmt: skip
    assert made.code == 0, made.err
    found = tokumei("measure", "utility", "--original", adult / "adult.csv", "--release", "y.csv",
                    "--truth", "link.csv", *common, "--measures", "S1", "--json").json  # fmt: skip
    assert found["ncp"] == pytest.approx(0.625, abs=1e-6)
    assert 0 < found["prec"] < 1
    assert found["S1"] >= 5
