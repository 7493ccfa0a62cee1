"""Tests of tokumei.apps.papers.own.own_recommendations."""

import polars as pl
import pytest

from apps.papers.own.own_study_samples import make_blocks, rows_of
from tokumei.tables.arai2015_simulation import RULES
from tokumei.tables.recommendation_rules.rules_file import to_yaml

HIERARCHIES = "sex=sex,occupation=occupation"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "people.csv"
    sexes = ["男性", "女性"] * 20
    jobs = ["自衛官", "研究者", "教員", "農業従事者"] * 10
    pl.DataFrame({"sex": sexes, "occupation": jobs}).write_csv(path)
    return path


@pytest.fixture(scope="module")
def blocks(path):
    return make_blocks("004", path, qi="sex,occupation", hierarchies=HIERARCHIES, k=5)


def test_everybody_is_in_every_table_of_levels(blocks):
    for name in ("table7", "table8", "table9"):
        assert sum(row[-1] for row in rows_of(blocks[name])) == 40
    assert not rows_of(blocks["table10"])
    assert str(blocks["table10"].made.note) == "There is no further rule."


def test_prec_is_that_of_the_levels(blocks):
    heights = [1, 2]
    for place, name in enumerate(("table7", "table8", "table9")):
        lost = 0.0
        for *levels, people in rows_of(blocks[name]):
            for level, height in zip(levels, heights, strict=True):
                steps = (
                    height
                    if level == "*"
                    else int(str(level).removeprefix("↑") or 0)
                    if (str(level).startswith("↑"))
                    else 0
                )
                lost += people * steps / height
        assert rows_of(blocks["table13"])[place][1] == pytest.approx(1 - lost / 80)


def test_without_rules_the_most_frequent_values_are_wanted(blocks):
    assert [row[0] for row in rows_of(blocks["table6"])] == ["sex", "occupation"]
    assert rows_of(blocks["table4"])[0][1:] == [20, 40]
    assert rows_of(blocks["figure1"])[0][1].endswith("→ *")


def test_rules_of_a_file(path, tmp_path):
    (tmp_path / "rules.yaml").write_text(to_yaml([RULES[0]]), encoding="utf-8")
    blocks = make_blocks(
        "004",
        path,
        qi="sex,occupation",
        hierarchies=HIERARCHIES,
        rules=str(tmp_path / "rules.yaml"),
        rows=20,
    )
    assert rows_of(blocks["table6"]) == [["1", "男性", "*"]]
    assert rows_of(blocks["data"])[0][1] == 20
