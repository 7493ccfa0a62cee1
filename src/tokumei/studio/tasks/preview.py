"""The job `preview`: rows of a candidate before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.advice.request import Request
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound
from tokumei.studio.store.project import Project
from tokumei.studio.tasks.parts import opened

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller


def candidate_request(project: Project, id: str) -> Request:
    """What a candidate's release is made of."""
    found = project.result(f"candidates/{id}")
    if found is None:
        raise NotFound
    return Request.from_json(found["request"])


def show_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Make the candidates' releases and keep some rows of each, masked."""
    state, look, parts, source = opened(project)
    adviser = parts.adviser(source, project, state)
    with meter(Text("showing rows", "行を表示しています"), len(args["ids"])) as advance:
        for id in args["ids"]:
            release = adviser.release(candidate_request(project, id))
            project.write_result(f"previews/{id}", parts.beside(source, release, look))
            advance(1)
            teller.fresh()
