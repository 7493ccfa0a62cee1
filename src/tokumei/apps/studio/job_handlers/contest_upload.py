"""The job `upload`: the release as an upload for its contest, checked as the server would."""

from __future__ import annotations

import shlex
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.apps.studio.store.contest_source import read_contest_format
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import JobArguments
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.files.atomic_write import Output, write_all
from tokumei.files.release_files import make_folder

if TYPE_CHECKING:
    from tokumei.apps.contest.judge.results import Scorecard
    from tokumei.apps.studio.jobs.worker import ProgressWriter


UPLOAD_FOLDER = "upload"


def make_upload(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Pack the release as the contest takes it, and ask the contest's own judge about it."""
    from tokumei.apps.contest.judge.contest_judge import load_home_judge
    from tokumei.apps.contest.judge.results import Upload

    state, released = project.state(), project.result("released")
    assert state.contest is not None
    assert released is not None
    folder = Path(released["folder"])
    with progress_bar(Message("making the upload"), None):
        name, data = _pack_release(folder, state.kind, read_contest_format(state.contest))
        make_folder(folder / UPLOAD_FOLDER)
        upload_path = folder / UPLOAD_FOLDER / name
        write_all([Output(upload_path, lambda stream: stream.write(data), secret=True)])
    with progress_bar(Message("asking the contest's judge"), None):
        verdict = load_home_judge(state.contest, guess=False).judge.judge(Upload(name, data))
    contest, release = shlex.quote(state.contest), shlex.quote(str(upload_path))
    command = f"tokumei contest check {contest} --release {release}"
    project.write_result(
        "uploaded",
        {
            "path": str(upload_path),
            "accepted": verdict.accepted,
            "faults": [fault.message.texts() for fault in verdict.faults],
            "command": command,
            "score": _score_to_json(verdict.card),
        },
    )


def _score_to_json(card: Scorecard | None) -> dict[str, float | None] | None:
    """The contest's own figures of the upload; None: it was refused. Lower is better."""
    if card is None:
        return None
    return {"utility": card.utility, "safety": card.safety, "total": card.total}


def _pack_release(folder: Path, kind: str, format: str) -> tuple[str, bytes]:
    """Name and bytes: of a table rows and link, of a history all rows in the original's order."""
    if kind == "tables":
        from tokumei.apps.contest.client.local_files import pack_release

        public, link = folder / "releases/01-release.csv", folder / "secret/01-release.csv"
        return "A.zip", pack_release(public, link)[1]
    return "A.csv", _aligned_history(folder, format)


def _aligned_history(folder: Path, format: str) -> bytes:
    """The release of the folder's recipe and key again, row by row as the contest wants it."""
    from io import BytesIO

    from tokumei.api.recipes import load_recipe
    from tokumei.files.key_files import read_key
    from tokumei.histories.flow import outputs
    from tokumei.histories.recipe import HistoryRecipe

    with chdir(folder):
        recipe = load_recipe("recipe.yaml").model_copy(
            update={"seed": read_key("secret/release.key")}
        )
        assert isinstance(recipe, HistoryRecipe)
        (release,) = recipe.made(recipe.load()).values()
    (aligned_output,) = outputs(release, aligned="A.csv", format=format)
    stream = BytesIO()
    aligned_output.write(stream)
    return stream.getvalue()
