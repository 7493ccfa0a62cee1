"""The job `release`: a folder with everything, made beside its name and renamed when complete.

The release is made by running the very recipe that lies in the folder, with the key that lies in
its secret part: `tokumei run` there gives the same bytes again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import OutputError
from tokumei.core.progress import meter
from tokumei.core.text import Text, current_language
from tokumei.files.atomic import write_all
from tokumei.files.keys import read_key, write_key
from tokumei.files.leftovers import secret_folder
from tokumei.files.writing import text_output
from tokumei.studio.recipes import recipe_of, yaml_text
from tokumei.studio.store.project import Project
from tokumei.studio.store.readers import listed, readme
from tokumei.studio.store.trees import copied_trees
from tokumei.studio.work.parts import parts_of

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller

KEY = "secret/release.key"
RECIPE = "recipe.yaml"


def publish(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Write all files of a release into a new folder."""
    from tokumei.core.recipe import run_recipe
    from tokumei.files.releases import save_experiment
    from tokumei.recipes import load_recipe

    target = Path(args["folder"])
    _require_free(target)
    state, look = project.state(), project.result("look")
    found = project.result(f"candidates/{args['id']}")
    assert look is not None
    assert found is not None
    with secret_folder(target) as folder:
        trees = copied_trees(project, found["request"], folder)
        source = os.path.relpath(project.source, folder)
        recipe = recipe_of(state, look, trees, source)
        (folder / "secret").mkdir(mode=0o700)
        write_key(folder / KEY)
        write_all([text_output(yaml_text(recipe), folder / RECIPE)])
        with chdir(folder), meter(Text("making the release", "公開用データを作成しています"), None):
            save_experiment(run_recipe(load_recipe(RECIPE), seed=read_key(KEY)), ".")
        with meter(Text("collecting evidence", "根拠を集めています"), None):
            pages = parts_of(state).pages(project, folder)
            text = readme(state.name, current_language())
            write_all([*pages, text_output(text, folder / "README.md")])
        _rename(folder, target)
    project.write_result(
        "released", {"folder": str(target), "candidate": args["id"], "files": listed(target)}
    )


def _require_free(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(
            f"{target}: there is something already; choose another folder",
            f"{target}: 既に存在します。別のフォルダを選んでください",
        )
    if not target.parent.is_dir():
        raise OutputError(
            f"{target.parent}: no such folder", f"{target.parent}: フォルダがありません"
        )


def _rename(folder: Path, target: Path) -> None:
    if target.exists():
        target.rmdir()
    try:
        folder.rename(target)
    except OSError:
        shutil.move(folder, target)
