"""What a kind brings to the studio's jobs: its source, rows to show, attacks in plain figures.

kind = parts_of(state)
source = kind.load(project, state, look)
adviser = kind.adviser(source, state, project)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tokumei.core.lazy import load
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser

HOMES = {
    "tables": "tokumei.studio.work.tables:TableParts",
    "histories": "tokumei.studio.work.histories:HistoryParts",
}
SEED = 1
"""Candidates are compared under the same draws; a release has a key of its own."""


class Parts(Protocol):
    """What a kind brings."""

    def load(self, project: Project, state: ProjectState, look: Mapping[str, Any]) -> Any:
        """The source, as a recipe would read it."""
        ...

    def adviser(self, source: Any, project: Project, state: ProjectState) -> Adviser:
        """What proposes candidates."""
        ...

    def last(self, adviser: Any) -> Any:
        """The release of the candidate that was measured just now, if it is still there."""
        ...

    def beside(self, source: Any, release: Any, look: Mapping[str, Any]) -> dict[str, Any]:
        """First rows before and after, private cells as shapes; sizes of classes."""
        ...

    def attacked(self, source: Any, release: Any) -> dict[str, Any]:
        """Attacks against a blind guess, and who is most exposed."""
        ...

    def pages(self, project: Project, folder: Path) -> list[Any]:
        """Further files of a release in its folder, not yet written."""
        ...


def parts_of(state: ProjectState) -> Parts:
    """The parts of a project's kind."""
    made: Parts = load(HOMES[state.kind])()
    return made


def opened(project: Project) -> tuple[ProjectState, dict[str, Any], Parts, Any]:
    """State, look, parts and source of a project."""
    state, look = project.state(), project.result("look")
    assert look is not None, "no job begins before the file was looked at"
    parts = parts_of(state)
    return state, look, parts, parts.load(project, state, look)
