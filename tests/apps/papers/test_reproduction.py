"""Tests of tokumei.apps.papers.reproduction."""

import json

import pytest

from apps.papers.papers_helpers import entries
from tokumei.apps.papers.reproduction import resolve_papers, run_paper, set_recipe_settings
from tokumei.core.errors import UnknownNameError, UsageError


def test_examples_run_without_data_and_the_rest_says_what_it_needs():
    run = run_paper("000")
    verdicts = {block.printed.id: block.verdict for block in run.blocks}
    assert {name for name, one in verdicts.items() if one in ("equal", "form", "slip")} == {
        "table1",
        "table5",
        "table6",
        "table8",
        "table12",
    }
    assert run.missing_files == ["pwscup2018/T.csv", "online_retail.parquet"]
    assert not run.counts["differs"]
    assert not any(run_paper("001").counts[one] for one in ("differs", "slip"))


def test_what_is_not_computed_says_why():
    for number in ("002", "003", "004"):
        recipe = {"draws": 2, "seeds": 1, "study_rows": 200}
        settings = set_recipe_settings(number, recipe, {})
        for block in run_paper(number, recipe=settings).blocks:
            if any(line.verdict == "printed" for line in block.lines):
                assert block.why is not None, (number, block.printed.id)


def test_only_some_tables():
    (block,) = run_paper("002", tables=["table1"]).blocks
    assert block.printed.id == "table1"
    with pytest.raises(UnknownNameError, match="table99"):
        run_paper("002", tables=["table99"])


def test_wrong_papers(tmp_path):
    with pytest.raises(UnknownNameError, match="005"):
        resolve_papers("005")
    recipe = tmp_path / "mine.yaml"
    recipe.write_text("paper: '009'\n", encoding="utf-8")
    with pytest.raises(UsageError, match="'paper' must be"):
        resolve_papers(str(recipe))
    recipe.write_text("paper: '002'\nks: 3\n", encoding="utf-8")
    with pytest.raises(UnknownNameError, match="ks"):
        resolve_papers(str(recipe))


@pytest.mark.long
@pytest.mark.parametrize("number", ["003", "004"])
def test_generated_data_and_fresh_draws_differ_nowhere(number):
    recipe = {"draws": 1200} if number == "004" else {}
    run = run_paper(number, recipe=recipe)
    json.dumps(run.as_json())
    assert [block.printed.id for block in run.blocks] == entries(number)
    assert not run.counts["differs"]
    assert not run.missing_files


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("number", ["000", "001"])
def test_real_data_differs_nowhere(real_data, number):
    run = run_paper(number, folder=real_data)
    json.dumps(run.as_json())
    assert not run.counts["differs"]
    assert not run.missing_files
    rows = {block.printed.id: block.lines for block in run.blocks}
    if number == "001":
        assert [line.computed[1] for line in rows["table2"]][:3] == [397_625, 4_333, 3_663]
        assert [line.computed[1] for line in rows["contest_rows"]] == [44_917]
    else:
        assert {line.verdict for line in rows["table14"]} <= {
            "equal",
            "rounding",
            "form",
            "explained",
        }


def test_settings_of_the_recipe_can_be_given():
    assert set_recipe_settings("004", {"draws": None, "seed": 3, "other": 1}, {"k": 4}) == {
        "seed": 3,
        "k": 4,
    }
    with pytest.raises(UnknownNameError, match="people_"):
        set_recipe_settings("004", {}, {"people_": 1})
