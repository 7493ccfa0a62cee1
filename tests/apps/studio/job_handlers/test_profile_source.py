"""Tests of tokumei.apps.studio.job_handlers.profile_source."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

import tokumei as tk
from apps.studio.adapters_helpers import QUIET, begun, chosen
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.files.key_files import read_key

pytestmark = pytest.mark.long


def again(folder: Path) -> None:
    """The recipe that lies in a folder gives every file again."""
    with chdir(folder):
        recipe = tk.load_recipe("recipe.yaml")
        made = tk.run_recipe(recipe, seed=read_key("secret/release.key"))
        tk.save_experiment(made, "again")
    for path in (folder / "again").rglob("*"):
        if path.is_file():
            first = folder / path.relative_to(folder / "again")
            assert path.read_bytes() == first.read_bytes(), path.name


def test_pseudonyms_take_the_same_steps(tmp_path: Path) -> None:
    days = [f"2024-{1 + i % 3:02d}-{1 + i % 27:02d}" for i in range(80)]
    rows = "".join(
        f"C{i % 9},{day},A{i % 5}0{i % 3},{100 + i % 7},{1 + i % 3}\n" for i, day in enumerate(days)
    )
    project = begun(tmp_path, "bought.csv", f"customer,day,item,price,quantity\n{rows}")
    names = ("customer", "day", "item", "price", "quantity")
    project.change(kind="pseudonyms", columns={name: name for name in names})
    profile_source(project, {}, QUIET)
    id = chosen(project)
    found = project.result("previews", id)
    assert found is not None
    assert all(cell[1] for row in found["before"] for cell in row[:1])
    target = tmp_path / "out"
    write_release(project, {"id": id, "folder": str(target), "anyway": "a test"}, QUIET)
    assert (target / "secret/01-release.csv").stat().st_mode & 0o077 == 0
    again(target)
