"""The job `upload`: the release as an upload for its contest, checked as the server would."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.files.atomic import Output, write_all
from tokumei.files.releases import make_folder
from tokumei.studio.store.contests import contest_format
from tokumei.studio.store.project import Project

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller


NAME = "upload"


def make_upload(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Pack the release as the contest takes it, and ask the contest's own judge about it."""
    from tokumei.contest.judge.contest_judge import judge_at_home
    from tokumei.contest.judge.protocol import Upload

    state, done = project.state(), project.result("released")
    assert state.contest is not None
    assert done is not None
    folder = Path(done["folder"])
    with meter(Text("making the upload", "提出物を作成しています"), None):
        name, data = _packed(folder, state.kind, contest_format(state.contest))
        make_folder(folder / NAME)
        place = folder / NAME / name
        write_all([Output(place, lambda stream: stream.write(data), secret=True)])
    with meter(Text("asking the contest's judge", "コンテストの審査に照会しています"), None):
        verdict = judge_at_home(state.contest, guess=False).judge.judge(Upload(name, data))
    command = (
        f"tokumei contest check {shlex.quote(state.contest)} --release {shlex.quote(str(place))}"
    )
    project.write_result(
        "uploaded",
        {
            "path": str(place),
            "accepted": verdict.accepted,
            "faults": [list(fault.message) for fault in verdict.faults],
            "command": command,
        },
    )


def _packed(folder: Path, kind: str, format: str) -> tuple[str, bytes]:
    """Name and bytes: of a table rows and link, of a history all rows in the original's order."""
    if kind == "tables":
        from tokumei.contest.client.local import zip_of_release

        public, link = folder / "releases/01-release.csv", folder / "secret/01-release.csv"
        return "A.zip", zip_of_release(public, link)[1]
    return "A.csv", _aligned(folder, format)


def _aligned(folder: Path, format: str) -> bytes:
    """The release of the folder's recipe and key again, row by row as the contest wants it."""
    from io import BytesIO

    from tokumei.api.recipes import load_recipe
    from tokumei.files.keys import read_key
    from tokumei.histories.flow import outputs
    from tokumei.histories.recipe import HistoryRecipe

    with chdir(folder):
        recipe = load_recipe("recipe.yaml").model_copy(
            update={"seed": read_key("secret/release.key")}
        )
        assert isinstance(recipe, HistoryRecipe)
        (release,) = recipe.made(recipe.load()).values()
    (made,) = outputs(release, aligned="A.csv", format=format)
    stream = BytesIO()
    made.write(stream)
    return stream.getvalue()
