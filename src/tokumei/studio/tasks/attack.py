"""The jobs `attack`, the whole suite on one candidate and what would help, and `audit`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound
from tokumei.studio.store.project import Project
from tokumei.studio.tasks.advise import Log, candidate_of
from tokumei.studio.tasks.parts import opened
from tokumei.studio.tasks.preview import candidate_request

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller

ATTACKING = Text("attacking", "攻撃しています")
HELPING = Text("looking for what would help", "改善案を探しています")


def attack_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Attack the release of a candidate; then try what comes near it and is safer."""
    state, _, parts, source = opened(project)
    found = project.result(f"candidates/{args['id']}")
    if found is None:
        raise NotFound
    candidate = candidate_of(found)
    adviser = parts.adviser(source, project, state)
    adviser.found.update({one["id"]: candidate_of(one) for one in project.results("candidates")})
    with meter(ATTACKING, None):
        release = adviser.release(candidate.request)
    told = parts.attacked(source, release)
    name = f"attacks/{candidate.id}"
    project.write_result(name, {**told, "helps": None})
    teller.fresh()
    teller.progress(None, HELPING)
    helps = list[str]()
    log = Log(project, state, adviser, len(adviser.found))
    for one in adviser.near(candidate, "safer", seconds=float(args["seconds"])):
        helps += [] if one.id in helps else [one.id]
        log.write()
    project.write_result(name, {**told, "helps": helps})


AUDITING = Text("auditing with people held out", "対照を取り分けて監査しています")


def audit_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Hold people out, make the release from the others, and attack it with both."""
    state, _, kind, source = opened(project)
    with meter(AUDITING, None):
        told = kind.audited(source, project, state, candidate_request(project, args["id"]))
    project.write_result(f"audits/{args['id']}", told)
