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
from tokumei.studio.kinds.kind import kind_of
from tokumei.studio.recipes import recipe_of, yaml_text
from tokumei.studio.store.project import Project
from tokumei.studio.store.readers import listed, readme
from tokumei.studio.store.trees import copied_trees

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller

KEY = "secret/release.key"
RECIPE = "recipe.yaml"
MAKING = Text("making the release", "公開用データを作成しています")
COLLECTING = Text("collecting evidence", "根拠を集めています")


def publish(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Write all files of a release into a new folder.

    With a ledger: checked with all earlier releases before anything is written, and recorded at
    the moment in which the folder gets its name.
    """
    from tokumei.api.recipes import load_recipe
    from tokumei.core.recipe import run_recipe
    from tokumei.files.releases import leaving_staged, stage_experiment

    target = Path(args["folder"])
    _require_free(target)
    found = project.result(f"candidates/{args['id']}")
    assert found is not None
    with secret_folder(target) as folder:
        _prepare(project, found["request"], folder)
        with chdir(folder):
            with meter(MAKING, None):
                experiment = run_recipe(load_recipe(RECIPE), seed=read_key(KEY))
            with experiment.leaving(target) as leaves:
                stage_experiment(experiment, ".")
                with meter(COLLECTING, None):
                    _add_evidence(project, folder)
                with leaving_staged(leaves, folder, target):
                    _rename(folder, target)
    if leaves is not None:
        project.forget("joint")  # they were of a ledger without this release
    project.write_result(
        "released",
        {
            "folder": str(target),
            "candidate": args["id"],
            "files": listed(target),
            "recorded": _recorded(project, leaves),
        },
    )


def _prepare(project: Project, request: Mapping[str, Any], folder: Path) -> None:
    """The recipe, its hierarchies and its key."""
    state, look = project.state(), project.result("look")
    assert look is not None
    source = os.path.relpath(kind_of(state).file(project), folder)
    given = copied_trees(project, request, folder)
    recipe = recipe_of(state, look, given, source, lambda path: os.path.relpath(path, folder))
    (folder / "secret").mkdir(mode=0o700)
    write_key(folder / KEY)
    write_all([text_output(yaml_text(recipe), folder / RECIPE)])


def _add_evidence(project: Project, folder: Path) -> None:
    state = project.state()
    pages = kind_of(state).pages(project, folder)
    text = readme(state.name, current_language(), recorded=state.ledger is not None)
    write_all([*pages, text_output(text, folder / "README.md")])


def _recorded(project: Project, leaves: tuple[Path, Any] | None) -> dict[str, str] | None:
    """Under which name the release stands in the ledger, and for whom."""
    asked = project.state().ledger
    if leaves is None or asked is None:
        return None
    return {"name": leaves[1].entry.name, "recipient": asked.recipient, "ledger": asked.folder}


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
