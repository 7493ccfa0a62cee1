"""The job `release`: writes a release folder, which gets its name when it is complete.

The release is made by running the very recipe that lies in the folder, with the key that lies in
its secret part: `tokumei run` there gives the same bytes again.
"""

from __future__ import annotations

import os
import shutil
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import build_recipe, format_yaml
from tokumei.apps.studio.store.hierarchies import copy_hierarchies
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import JobArguments, RequestRecord
from tokumei.apps.studio.store.release_files import format_readme, list_release_files
from tokumei.core.errors import OutputError
from tokumei.core.messages import Message, current_language
from tokumei.core.progress import progress_bar
from tokumei.files.atomic_write import write_all
from tokumei.files.key_files import read_key, write_key
from tokumei.files.temporary_files import temporary_secret_folder
from tokumei.files.writing import text_output

if TYPE_CHECKING:
    from tokumei.apps.studio.jobs.worker import ProgressWriter
    from tokumei.files.release_files import ReleaseRecord

KEY_FILE = "secret/release.key"
RECIPE_FILE = "recipe.yaml"
MAKING_RELEASE = Message("making the release")
COLLECTING_EVIDENCE = Message("collecting evidence")


def write_release(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Write all files of a release into a new folder.

    With a ledger: checked with all earlier releases before anything is written, and recorded at
    the moment in which the folder gets its name.
    """
    from tokumei.api.recipes import load_recipe
    from tokumei.core.recipe import run_recipe
    from tokumei.files.release_files import record_staged_release, stage_experiment

    target = Path(args["folder"])
    _require_free(target)
    candidate_json = project.result("candidates", args["id"])
    assert candidate_json is not None
    with temporary_secret_folder(target) as folder:
        _prepare_recipe(project, candidate_json["request"], folder)
        with chdir(folder):
            with progress_bar(MAKING_RELEASE, None):
                experiment = run_recipe(load_recipe(RECIPE_FILE), seed=read_key(KEY_FILE))
            with experiment.leaving(target) as ledger_entry:
                stage_experiment(experiment, ".")
                with progress_bar(COLLECTING_EVIDENCE, None):
                    _add_evidence(project, folder)
                with record_staged_release(ledger_entry, folder, target):
                    _move_folder(folder, target)
    if ledger_entry is not None:
        project.forget("joint")  # they were of a ledger without this release
    project.write_result(
        "released",
        {
            "folder": str(target),
            "candidate": args["id"],
            "files": list_release_files(target),
            "recorded": _ledger_record(project, ledger_entry),
        },
    )


def _prepare_recipe(project: Project, request: RequestRecord, folder: Path) -> None:
    """The recipe, its hierarchies and its key."""
    state, look = project.state(), project.result("look")
    assert look is not None
    source = os.path.relpath(adapter_for(state).recipe_file(project), folder)
    local_request = copy_hierarchies(project, request, folder)
    recipe = build_recipe(
        state, look, local_request, source, lambda path: os.path.relpath(path, folder)
    )
    (folder / "secret").mkdir(mode=0o700)
    write_key(folder / KEY_FILE)
    write_all([text_output(format_yaml(recipe), folder / RECIPE_FILE)])


def _add_evidence(project: Project, folder: Path) -> None:
    state = project.state()
    pages = adapter_for(state).extra_outputs(project, folder)
    text = format_readme(state.name, current_language(), recorded=state.ledger is not None)
    write_all([*pages, text_output(text, folder / "README.md")])


def _ledger_record(
    project: Project, ledger_entry: tuple[Path, ReleaseRecord] | None
) -> dict[str, str] | None:
    """The release's name in the ledger, its recipient and the ledger's folder."""
    ledger = project.state().ledger
    if ledger is None or ledger_entry is None:
        return None
    name = ledger_entry[1].release_name
    return {"name": name, "recipient": ledger.recipient, "ledger": ledger.folder}


def _require_free(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(
            "{folder}: there is something already; choose another folder", folder=target
        )
    if not target.parent.is_dir():
        raise OutputError("{folder}: no such folder", folder=target.parent)


def _move_folder(folder: Path, target: Path) -> None:
    if target.exists():
        target.rmdir()
    try:
        folder.rename(target)
    except OSError:
        shutil.move(folder, target)
