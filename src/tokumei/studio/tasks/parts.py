"""What every job begins with: the project's decisions, its kind and its source."""

from __future__ import annotations

from typing import Any

from tokumei.studio.kinds.kind import StudioKind, kind_of
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState


def opened(project: Project) -> tuple[ProjectState, dict[str, Any], StudioKind, Any]:
    """State, look, kind and source of a project."""
    state, look = project.state(), project.result("look")
    assert look is not None, "no job begins before the file was looked at"
    kind = kind_of(state)
    return state, look, kind, kind.load(project, state, look)
