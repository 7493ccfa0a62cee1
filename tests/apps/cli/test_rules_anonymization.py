"""`tokumei rules`: a release for recommendations, the simulation, what goes wrong."""

from pathlib import Path

import polars as pl
import pytest

RULES = """\
magazine: {sex: 男性}
clothes A: {height: {min: 165, max: 171}}
clothes B:
  - {sex: 女性, height: "<=159"}
  - {sex: 女性, height: ">=160"}
"""


ONLY = ["--hierarchy", "sex=sex", "--hierarchy", "height=height"]


@pytest.fixture
def people(tokumei):
    rows = [f"{('男性', '女性')[i % 2]},{140 + (i * 7) % 51},{i}" for i in range(60)]
    Path("x.csv").write_text("sex,height,pay\n" + "\n".join(rows) + "\n", encoding="utf-8")
    Path("rules.yaml").write_text(RULES, encoding="utf-8")
    return tokumei


def anonymize(run, *options, hierarchies=ONLY):
    return run(
        *("rules", "anonymize", "--data", "x.csv", "--qi", "sex,height", "--sa", "pay"),
        *("--rules", "rules.yaml", "--k", 2, "--seed", 1, "--out", "y.csv"),
        *hierarchies,
        *options,
    )


def test_a_release_and_what_it_decides(people):
    ran = anonymize(people, "--json", "--secret", "link.csv")
    assert ran.code == 0
    found = ran.json
    assert sum(row["people"] for row in found["levels"]) == 60
    assert found["rules"]["magazine"]["decided"] == pytest.approx(found["kept"]["sex"])
    # Both boxes together are all women.
    assert found["rules"]["clothes B"] == pytest.approx(
        {"decided": found["kept"]["sex"], "targeted": 0.5, "not_targeted": 0.5}
    )
    written = pl.read_csv("y.csv")
    assert written.group_by("sex", "height").len()["len"].min() >= 2
    assert Path("link.csv").exists()
    assert 0 < found["prec"] < 1


@pytest.mark.parametrize("method", ["tfidf", "prec", "ncp", "range"])
def test_every_choice_says_what_it_keeps(people, method):
    ran = anonymize(people, "--method", method)
    assert ran.code == 0
    assert "clothes A" in ran.out
    assert "people" in ran.out


def test_hierarchies_by_pattern(people):
    Path("h_sex.csv").write_text("男性;*\n女性;*\n", encoding="utf-8")
    tall = "".join(f"{cm};{'tall' if cm >= 165 else 'small'};*\n" for cm in range(140, 191))
    Path("h_height.csv").write_text(tall, encoding="utf-8")
    ran = anonymize(people, "--json", hierarchies=["--hierarchies", "h_{column}.csv"])
    assert ran.code == 0
    assert set(pl.read_csv("y.csv")["height"]) <= {"tall", "small", "*", *map(str, range(140, 191))}


def test_faults_of_the_rules_have_lines(people):
    Path("rules.yaml").write_text("a: {sex: 男}\nb: {hight: 3}\n", encoding="utf-8")
    ran = anonymize(people, "--json", "--method", "prec")
    assert ran.code == 2
    assert [fault["line"] for fault in ran.json["faults"]] == [1, 2]
    assert "男性" in ran.json["faults"][0]["message_en"]
    assert not Path("y.csv").exists()


@pytest.mark.parametrize("hierarchies", [[], ["--hierarchies", "h_{column}.csv", *ONLY]])
def test_one_way_to_give_hierarchies(people, hierarchies):
    ran = anonymize(people, hierarchies=hierarchies)
    assert ran.code == 2
    assert "--hierarchies, or --hierarchy" in ran.err


def test_simulate(tokumei):
    ran = tokumei("rules", "simulate", "--draws", 3, "--seed", 1, "--json")
    assert ran.code == 0
    results = ran.json["results"]
    assert [(one["choice"], one["rule"]) for one in results] == [
        ("prec", None),
        *(("tfidf", rule) for rule in "12345"),
    ]
    assert all(sum(row["people"] for row in one["first_draw"]) == 100 for one in results)
    assert tokumei("rules", "simulate", "--draws", 3, "--seed", 1, "--json").json == ran.json
