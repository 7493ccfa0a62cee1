"""`tokumei risk` and the measures on request, as a user calls them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk

QI = "head_sex,head_age_band,region,occupation"


@pytest.fixture
def people(tokumei):
    """A population x.csv and a tenth of it, s.csv."""
    assert tokumei("sample", "table", "--rows", 600, "--seed", 1, "--out", "x.csv").code == 0
    pl.read_csv("x.csv").head(60).write_csv("s.csv")


def test_tables_tell_all_parts(tokumei, people) -> None:
    ran = tokumei("risk", "--data", "x.csv", "--qi", QI, "--population", 50_000)
    assert ran.code == 0, ran.err
    for words in (
        "of the rows are the only ones",
        "Prosecutor",
        "Marketer",
        "sample uniques",
        "Unique in a population of 50,000",
        "Pitman (Hoshino 2001)",
        "at most 10 % of the population",
        "Sets of 3 columns",
        "Minimal unique combinations (SUDA)",
        "Start with",
    ):
        assert words in ran.out, words
    assert "Journalist" not in ran.out


def test_json_equals_the_library(tokumei, people) -> None:
    ran = tokumei("risk", "--data", "s.csv", "--qi", QI, "--population-file", "x.csv", "--json")
    read = [tk.read_table(name, qi=QI.split(","), sa=[]) for name in ("s.csv", "x.csv")]
    assert ran.json == {"out": None, **tk.risk(read[0], population=read[1]).as_json()}
    assert ran.json["journalist"]["mean"] < ran.json["prosecutor"]["mean"]


def test_without_a_population_it_says_what_to_give(tokumei, people) -> None:
    ran = tokumei("risk", "--data", "x.csv", "--qi", QI)
    assert "--population N" in ran.out
    assert tokumei("risk", "--data", "x.csv", "--qi", QI, "--json").json["population"] is None


def test_a_release_of_another_tool_with_its_roles_inferred(tokumei, people) -> None:
    tokumei("anonymize", "table", "--data", "x.csv", "--qi", QI, "--method", "mondrian", "--k", 5,
            "--seed", 1, "--out", "y.csv")  # fmt: skip
    ran = tokumei("risk", "--data", "y.csv", "--qi", QI)
    assert "No row is unique: every combination is shared by at least" in ran.out
    assert "No row is unique on 3 columns or fewer" in ran.out
    assert "Roles from y.csv.manifest.json" in tokumei("risk", "--data", "y.csv").err
    assert "Roles from x.csv.tokumei.json" in tokumei("risk", "--data", "x.csv").err
    Path("x.csv.tokumei.json").unlink()
    assert "Roles inferred" in tokumei("risk", "--data", "x.csv", "--max-size", 1).err


def test_the_report_is_written_in_the_language_of_the_command(tokumei, people) -> None:
    ran = tokumei("risk", "--data", "x.csv", "--qi", QI, "--out", "r.html", "--lang", "ja")
    assert ran.code == 0, ran.err
    assert '<html lang="ja">' in Path("r.html").read_text(encoding="utf-8")
    assert "行は" in ran.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--qi", "region,nowhere"], "nowhere"),
        (["--qi", QI, "--population", "3"], "at least as many rows"),
        (["--qi", QI, "--population", "9000", "--population-file", "x.csv"], "not both"),
        (["--qi", QI, "--population", "9000", "--sample-fraction", "0.1"], "not both"),
        (["--qi", QI, "--rule", "dancar"], "Did you mean 'dankar'? Valid: bracket, dankar"),
        (["--qi", QI, "--out", "r.pdf"], ".html"),
        (["--qi", QI, "--threshold", "2"], "between 0 and 1"),
    ],
)
def test_wrong_use_exits_with_2(tokumei, people, options, words) -> None:
    ran = tokumei("risk", "--data", "x.csv", *options)
    assert ran.code == 2
    assert words in ran.err
    assert not Path("r.pdf").exists()


def test_a_population_that_lacks_the_rows_is_an_input_error(tokumei, people) -> None:
    pl.read_csv("x.csv").tail(540).write_csv("others.csv")
    ran = tokumei("risk", "--data", "s.csv", "--qi", QI, "--population-file", "others.csv")
    assert ran.code == 2
    assert "more rows in the table than in the population" in ran.err


MEASURE = ["measure", "utility", "--original", "x.csv", "--release", "y.csv", "--truth", "link.csv"]


@pytest.fixture
def released(tokumei, people):
    tokumei("anonymize", "table", "--data", "x.csv", "--method", "mondrian", "--k", 5, "--seed", 1,
            "--out", "y.csv", "--secret", "link.csv")  # fmt: skip


def test_measures_on_request_are_named_with_their_parameters(tokumei, released) -> None:
    named = ["--measures", "ncp,query_error,records_at_risk,classification,population_uniques"]
    given = ["query_error.queries=20", "records_at_risk.threshold=0.1",
             "classification.target=region", "population_uniques.population=9000"]  # fmt: skip
    sets = [part for one in given for part in ("--set", one)]
    ran = tokumei(*MEASURE, *named, *sets)
    assert ran.code == 0, ran.err
    assert "baseline" in ran.out
    found = tokumei(*MEASURE, *named, *sets, "--json").json
    people, release = tk.read_table("x.csv"), tk.read_table("y.csv", sa=[])
    link = tk.tables.read_link("link.csv", release.rows, people.rows)
    params = {
        "query_error": {"queries": 20},
        "records_at_risk": {"threshold": 0.1},
        "classification": {"target": "region"},
        "population_uniques": {"population": 9000},
    }
    scores = tk.measure(people, release, link=link, methods=list(found), params=params)
    assert found == {name: score.value for name, score in scores.items()}


def test_the_default_measures_stay_and_all_are_more(tokumei, released) -> None:
    default = tokumei(*MEASURE, "--json").json
    assert list(default) == [
        "U1",
        "U2",
        "U3",
        "U4",
        "U5",
        "U6",
        "S1",
        "S2",
        "dm",
        "c_avg",
        "gcp_sets",
        "rows_kept",
    ]
    every = tokumei(*MEASURE, "--measures", "all", "--json").json
    assert {**every, **default} == every
    assert "kl_divergence" in every
    assert "classification" not in every


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--measures", "classification"], "classification: parameter 'target' is needed"),
        (["--set", "threshold=0.1"], "unknown parameter 'threshold'"),
        (["--set", "record_at_risk.threshold=0.1"], "Did you mean 'records_at_risk'"),
        (["--measures", "ncp", "--set", "ncp.hierarchy=auto"], "Did you mean 'hierarchies'"),
    ],
)
def test_wrong_measures_and_parameters_are_named(tokumei, released, options, words) -> None:
    ran = tokumei(*MEASURE, *options)
    assert ran.code == 2
    assert words in ran.err


def test_methods_lists_needed_parameters_and_defaults(tokumei) -> None:
    measures = tokumei("methods", "--json").json["tables.measures"]
    listed = {one["name"]: one["parameters"] for one in measures}
    assert listed["ncp"] == {"hierarchies": {}}
    assert listed["classification"]["target"] == "required"
    assert listed["records_at_risk"] == {"threshold": 0.2, "population": None}


def test_a_recipe_measures_on_request(tokumei) -> None:
    Path("r.yaml").write_text(
        "data: {sample: {rows: 120, seed: 1}}\n"
        "seed: 1\n"
        "releases: [{name: five, steps: [{method: mondrian, k: 5}]}]\n"
        "attacks: [E1]\n"
        "measures: {U5: {}, ncp: {hierarchies: auto}, marketer_risk: {}, suda: {max_size: 2}}\n"
        "out: made\n",
        encoding="utf-8",
    )
    ran = tokumei("run", "r.yaml")
    assert ran.code == 0, ran.err
    page = Path("made/report.html").read_text(encoding="utf-8")
    for words in ("of its column&#39;s domain on average (NCP)", "gets", "suda", "marketer_risk"):
        assert words in page, words


@pytest.mark.data
def test_raw_adult(tokumei, real_data) -> None:
    """The page's figures, printed and as data."""
    adult = real_data / "adult" / "adult.csv"
    names = "sex,age,race,marital-status,education,native-country,workclass,salary-class"
    call = ["risk", "--data", adult, "--qi", names, "--sample-fraction", "0.1"]
    printed = tokumei(*call).out
    for figure in ("50.90 %", "41.30 %", "29.31 %", "0.413036", "0.999499"):
        assert figure in printed, figure
    found = tokumei(*call, "--json").json
    assert round(100 * found["prosecutor"]["above_threshold"], 2) == 50.90
    assert round(100 * found["marketer"], 2) == 41.30
    assert round(100 * found["sample_uniques"], 2) == 29.31
    assert round(found["distinction"], 6) == 0.413036
    assert round(found["separation"], 6) == 0.999499
    assert len(found["sets"]) == 8 + 28 + 56
