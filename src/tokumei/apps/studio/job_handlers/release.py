"""The job `release`: writes a release folder, which gets its name when it is complete.

The release is made by running the very recipe that lies in the folder, with the key that lies in
its secret part: `tokumei run` there gives the same bytes again.
"""

from __future__ import annotations

import os
import shutil
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import build_recipe, format_yaml
from tokumei.apps.studio.job_handlers.assess_release import to_record
from tokumei.apps.studio.scenario import to_scenario
from tokumei.apps.studio.store.hierarchies import copy_hierarchies
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState, utc_now
from tokumei.apps.studio.store.records import AssessmentRecord, JobArguments, RequestRecord
from tokumei.apps.studio.store.release_files import (
    ANYWAY_NOTE,
    format_readme,
    list_release_files,
)
from tokumei.core.errors import OutputError, UsageError
from tokumei.core.json_types import as_json_text
from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.files.atomic_write import Output, write_all
from tokumei.files.key_files import read_key, write_key
from tokumei.files.release_files import ASSESSMENT_FILE
from tokumei.files.temporary_files import temporary_secret_folder
from tokumei.files.writing import text_output

if TYPE_CHECKING:
    from tokumei.apps.studio.jobs.worker import ProgressWriter
    from tokumei.assessment.assessment import Assessment
    from tokumei.core.recipe import Experiment
    from tokumei.files.release_files import ReleaseRecord

KEY_FILE = "secret/release.key"
RECIPE_FILE = "recipe.yaml"
REPORT_FILE = "assessment.html"
DECISION_FILE = "secret/released-anyway.json"
STALE_CANDIDATE = Message(
    "this candidate was made before the last change of your decisions, so it is void; make new "
    "candidates first"
)
MAKING_RELEASE = Message("making the release")
ASSESSING_RELEASE = Message("assessing")
COLLECTING_EVIDENCE = Message("collecting evidence")


def write_release(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Write all files of a release into a new folder.

    Refused if anything was decided after the candidate was made, and if the written files do not
    fit the scenario unless `anyway` gives a reason. With a ledger: checked with all earlier
    releases before anything is written, and recorded at the moment in which the folder gets its
    name.
    """
    from tokumei.api.recipes import load_recipe
    from tokumei.core.recipe import run_recipe
    from tokumei.files.release_files import record_staged_release, stage_experiment

    target = Path(args["folder"])
    _require_free(target)
    state = project.state()
    require_current(project, state)
    candidate_json = project.result("candidates", args["id"])
    assert candidate_json is not None
    with temporary_secret_folder(target) as folder:
        _prepare_recipe(project, candidate_json["request"], folder)
        with chdir(folder):
            with progress_bar(MAKING_RELEASE, None):
                experiment = run_recipe(load_recipe(RECIPE_FILE), seed=read_key(KEY_FILE))
            with progress_bar(ASSESSING_RELEASE, None):
                experiment, assessment = _assess(project, state, experiment)
            record = _judge(state, assessment, args.get("anyway", ""))
            with experiment.leaving(target) as ledger_entry:
                stage_experiment(experiment, ".")
                with progress_bar(COLLECTING_EVIDENCE, None):
                    if assessment is not None:
                        _write_report(state, assessment, folder, args.get("anyway", ""))
                    _add_evidence(project, state, folder, record, args.get("anyway", ""))
                require_current(project, state)
                with record_staged_release(ledger_entry, folder, target):
                    _move_folder(folder, target)
    if ledger_entry is not None:
        project.forget("joint")  # they were of a ledger without this release
    project.write_result(
        "released",
        {
            "folder": str(target),
            "candidate": args["id"],
            "inputs": state.inputs("candidates"),
            "files": list_release_files(target),
            "recorded": _ledger_record(project, ledger_entry),
            "assessment": record,
            "anyway": args.get("anyway", ""),
        },
    )


def require_current(project: Project, state: ProjectState) -> None:
    """Refuse candidates of other decisions than those in force."""
    if project.is_stale(state) or project.state().inputs("candidates") != state.inputs(
        "candidates"
    ):
        raise UsageError(STALE_CANDIDATE)


def _assess(
    project: Project, state: ProjectState, experiment: Experiment
) -> tuple[Experiment, Assessment | None]:
    """The experiment with the assessment of its release, and that; None: its kind has none."""
    from tokumei.assessment.assess_experiment import show_assessment
    from tokumei.assessment.assess_release import assess_release

    for item in experiment.releases_to_assess():
        assessment = assess_release(item.source, item.release)
        if assessment is not None:
            assessed = {item.name: show_assessment(assessment, item.name)}
            return replace(experiment, assessed=assessed), assessment
    adapter, look = adapter_for(state), project.result("look")
    release = adapter.released(experiment)
    if release is None or look is None:
        return experiment, None
    source = adapter.load(project, state, look)
    return experiment, adapter.assess(source, release, to_scenario(state), remedies=True)


def _judge(state: ProjectState, assessment: Assessment | None, anyway: str) -> AssessmentRecord:
    """What pages show of the assessment; refused if it does not fit and nobody says why."""
    record = to_record(assessment, state, full=False)
    fits = assessment is not None and assessment.verdict.word == "fits"
    if not fits and not anyway.strip():
        raise UsageError(
            "{verdict} To release it anyway, say why.", verdict=Message.of_texts(record["sentence"])
        )
    return record


def _write_report(state: ProjectState, assessment: Assessment, folder: Path, anyway: str) -> None:
    """The hand-over report, with what was decided in spite of the verdict."""
    from tokumei.assessment.page import render_assessment_page

    decision = ANYWAY_NOTE.fill(reason=anyway.strip()) if anyway.strip() else None
    page = render_assessment_page(
        assessment, release=state.name, decision=decision, lang=current_language()
    )
    outputs = [text_output(page, folder / REPORT_FILE)]
    if not (folder / ASSESSMENT_FILE).exists():  # else it was written with the recipe's files
        text = as_json_text(assessment.to_dict())
        outputs.append(text_output(text, folder / ASSESSMENT_FILE))
    write_all(outputs)


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


def _add_evidence(
    project: Project, state: ProjectState, folder: Path, record: AssessmentRecord, anyway: str
) -> None:
    """A README that begins with the verdict, and who decided otherwise."""
    pages = list(adapter_for(state).extra_outputs(project, folder))
    text = format_readme(
        state.name,
        current_language(),
        verdict=record["sentence"],
        anyway=anyway.strip(),
        recorded=state.ledger is not None,
    )
    pages.append(text_output(text, folder / "README.md"))
    if anyway.strip():
        decision = {
            "decided": utc_now(),
            "reason": anyway.strip(),
            "verdict": record["sentence"],
            "scenario": to_scenario(state).to_dict(),
        }
        path = folder / DECISION_FILE
        content = as_json_text(decision).encode()
        pages.append(Output(path, lambda stream: stream.write(content), secret=True))
    write_all(pages)


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
        raise OutputError("{folder}: it exists already; choose another folder", folder=target)
    if not target.parent.is_dir():
        raise OutputError("{folder}: no such folder", folder=target.parent)


def _move_folder(folder: Path, target: Path) -> None:
    if target.exists():
        target.rmdir()
    try:
        folder.rename(target)
    except OSError:
        shutil.move(folder, target)
