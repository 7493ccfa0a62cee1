"""What the tests split from test_adapters share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokumei.apps.studio.job_handlers.advise import propose_candidates
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project


class Silent:
    """Somebody who does not want to be told."""

    def progress(self, share: float | None, words: Any) -> None: ...

    def fresh(self) -> None: ...


QUIET: Any = Silent()


def begun(tmp_path: Path, name: str, text: str) -> Project:
    content = tmp_path / "content"
    content.write_text(text, encoding="utf-8")
    made = StudioHome.open(tmp_path / "home").begin(name, content)
    profile_source(made, {}, QUIET)
    return made


def chosen(project: Project) -> str:
    """The first candidate, which is made whatever it takes."""
    propose_candidates(project, {"seconds": 0.01}, QUIET)
    first = min(project.candidates(), key=lambda candidate: candidate["order"])
    project.change(selected=[first["id"]])
    return str(first["id"])
