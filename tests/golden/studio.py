"""Records a play of the studio: a file, a look, a candidate and its release.

The functions that the studio's jobs call are called here, without a browser or a child process.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from golden.transcript import Transcript, open_transcript
from tokumei.apps.studio.job_handlers.advise import propose_candidates
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project

ROWS = "".join(
    f"P-{i:03d},{20 + i * 7 % 41},{'MF'[i * 5 % 7 % 2]},{1000 + i * 37}\n" for i in range(48)
)
ROLES = {"id": "identifier", "age": "quasi", "sex": "quasi", "points": "sensitive"}
FIRST_ONLY = {"seconds": 0.001}
"""The first candidate is made whatever it takes, and the time is over then."""


class SilentTeller:
    """Takes the messages of a job and tells nobody."""

    def progress(self, share: float | None, words: object) -> None: ...

    def fresh(self) -> None: ...


def record_studio(variant: str, folder: Path) -> list[str]:
    """What each job of a play writes into the project, and what is released in the end."""
    (folder / "people.csv").write_text(f"id,age,sex,points\n{ROWS}", encoding="utf-8")
    with open_transcript("studio", variant, folder) as transcript:
        transcript.begin()
        home = StudioHome.open(folder / "home")
        project = transcript.call(
            "a project", lambda: home.begin("people.csv", folder / "people.csv")
        )
        _run_job(transcript, project, profile_source, {})
        project.change(roles=ROLES)
        _run_job(transcript, project, propose_candidates, FIRST_ONLY)
        (candidate,) = project.candidates()
        transcript.add_document(candidate)
        project.change(selected=[candidate["id"]])
        out = {"id": candidate["id"], "folder": str(folder / "out")}
        _run_job(transcript, project, write_release, out)
    return transcript.lines


def _run_job(
    transcript: Transcript,
    project: Project,
    job: Callable[[Project, dict[str, Any], Any], object],
    args: dict[str, Any],
) -> None:
    transcript.call(job.__name__, lambda: job(project, args, SilentTeller()))
