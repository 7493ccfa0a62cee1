"""Every block of every paper is there, and none differs."""

import json
import re
from pathlib import Path

import pytest
import yaml

from tokumei.apps.papers.block_text import block_tables
from tokumei.apps.papers.page import render_paper
from tokumei.apps.papers.published_values import (
    PAPER_NUMBERS,
    read_paper_recipe,
    read_published_paper,
)
from tokumei.apps.papers.reproduction import PAPER_CLASSES, resolve_papers, run_paper
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.lazy_imports import load_object

ROOT = Path(__file__).parents[3]
FIGURES = ROOT / "src" / "tokumei" / "apps" / "papers" / "figures"


def entries(number):
    """The names of all tables, figures and facts in a paper's file, read by themselves."""
    data = yaml.safe_load((FIGURES / f"{number}.yaml").read_text(encoding="utf-8"))
    parts = [data.get(part, []) for part in ("tables", "figures", "facts")]
    return [*(["data"] if "data" in data else []), *(one["id"] for part in parts for one in part)]


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_every_block_of_the_files_is_computed_or_shown(number):
    names = entries(number)
    assert list(read_published_paper(number).blocks) == names
    assert len(set(names)) == len(names)
    kind = load_object(PAPER_CLASSES[number])
    assert [name for name in names if not callable(getattr(kind, name, None))] == []


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_rows_fit_the_columns_and_corrections_their_cells(number):
    for block in read_published_paper(number).blocks.values():
        assert {len(row) for row in block.rows} <= {len(block.columns)}
        for (row, column), right in block.corrected.items():
            assert block.rows[row][list(block.columns).index(column)] != right


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_the_recipe_is_the_example(number):
    example = (ROOT / "examples" / f"paper-{number}.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(example) == read_paper_recipe(number)
    assert resolve_papers(str(ROOT / "examples" / f"paper-{number}.yaml")) == {
        number: read_paper_recipe(number)
    }


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_files_name_no_place_of_a_machine(number):
    text = (FIGURES / f"{number}.yaml").read_text(encoding="utf-8")
    assert not re.search(r"\.\./|/(home|work|root|tmp|Users)/", text)


def test_the_prices_of_the_twin_give_every_table():
    run = run_paper("002")
    assert not run.counts["differs"]
    verdicts = {block.printed.id: block.verdict for block in run.blocks}
    assert verdicts["table1"] == "equal"
    assert verdicts["table4"] == verdicts["table5"] == verdicts["table6"] == "twin"
    assert verdicts["figure7"] == "slip"


def test_examples_run_without_data_and_the_rest_says_what_it_needs():
    run = run_paper("000")
    verdicts = {block.printed.id: block.verdict for block in run.blocks}
    assert {name for name, one in verdicts.items() if one == "equal"} == {
        "table1",
        "table5",
        "table6",
        "table8",
        "table12",
    }
    assert run.needs == ["pwscup2018/T.csv", "online_retail.parquet"]
    assert not run.counts["differs"]
    assert not any(run_paper("001").counts[one] for one in ("differs", "slip"))


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


def test_the_page_has_every_block_in_both_languages():
    run = run_paper("002")
    page = render_paper(run, lang="ja")
    for name in entries("002"):
        assert f'id="{name}"' in page
    assert "論文の誤記" in page
    assert "slip" in page
    assert page == render_paper(run, lang="ja")


def test_text_has_every_block():
    run = run_paper("000", tables=["table1", "table9"])
    first, *_, end = block_tables(run)
    assert first.rows[0] == ["7 · 7", "7", "0", "exact", "equal"]
    assert "pwscup2018/T.csv" in end.en


@pytest.mark.long
@pytest.mark.parametrize("number", ["003", "004"])
def test_generated_data_and_fresh_draws_differ_nowhere(number):
    recipe = {"draws": 60} if number == "004" else {}
    run = run_paper(number, recipe=recipe)
    json.dumps(run.as_json())
    assert [block.printed.id for block in run.blocks] == entries(number)
    assert not run.counts["differs"]
    assert not run.needs


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("number", ["000", "001"])
def test_real_data_differs_nowhere(real_data, number):
    run = run_paper(number, folder=real_data)
    json.dumps(run.as_json())
    assert not run.counts["differs"]
    assert not run.needs
    rows = {block.printed.id: block.lines for block in run.blocks}
    if number == "001":
        assert [line.computed[1] for line in rows["table2"]][:3] == [397_625, 4_333, 3_663]
        assert [line.computed[1] for line in rows["contest_rows"]] == [44_917, 81_776]
    else:
        assert [line.verdict for line in rows["table14"]].count("slip") == 1
