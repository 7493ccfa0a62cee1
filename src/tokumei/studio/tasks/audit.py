"""The job `audit`: what a release like a candidate tells of people, against people held out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.studio.store.project import Project
from tokumei.studio.tasks.parts import opened
from tokumei.studio.tasks.preview import candidate_request

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller

AUDITING = Text("auditing with people held out", "対照を取り分けて監査しています")


def audit_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Hold people out, make the release from the others, and attack it with both."""
    state, _, kind, source = opened(project)
    with meter(AUDITING, None):
        told = kind.audited(source, project, state, candidate_request(project, args["id"]))
    project.write_result(f"audits/{args['id']}", told)
