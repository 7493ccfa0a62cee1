"""Tests of tokumei.tables.recipe."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from apps.studio.command_equivalents_fixtures import LOOK, REQUEST
from apps.studio.command_equivalents_fixtures import state as state
from tokumei.api.recipes import parse_recipe
from tokumei.apps.studio.command_equivalents import build_recipe, format_yaml
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.tables.recipe import TableRecipe


def test_a_recipe_is_read_back_and_makes_the_release(state: ProjectState, tmp_path: Path) -> None:
    rows = "".join(f'N{i},{20 + i % 5},{i % 3},"{i % 4},000円"\n' for i in range(40))
    text = f"A list of people,,,\n名 前,age,zip's,pay\n{rows}"
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    recipe = parse_recipe(
        format_yaml(build_recipe(state, LOOK, REQUEST, "people.csv")), beside=tmp_path
    )
    assert isinstance(recipe, TableRecipe)
    table = recipe.run().evaluations[0].case.original
    assert table.rows == 40
    assert table.schema.qi == ["age", "zip's"]
    assert table.frame["pay"].dtype == pl.Int64
    assert set(table.frame["pay"]) == {0, 1000, 2000, 3000}
