"""Tests of tokumei.files.release_files."""

import pytest

from tables.experiment_helpers import RECIPE
from tokumei.api.recipes import parse_recipe
from tokumei.core.recipe import run_recipe
from tokumei.files.release_files import save_experiment


@pytest.mark.long
def test_without_a_seed_runs_differ(tmp_path):
    for name in ("a", "b"):
        save_experiment(run_recipe(parse_recipe(RECIPE)), tmp_path / name)
    first, second = (tmp_path / name / "secret/01-a-five-alike.csv" for name in ("a", "b"))
    assert first.read_bytes() != second.read_bytes()
