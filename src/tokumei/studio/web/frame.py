"""The frame of a project's pages: the five steps, what is stale, what runs, and the drawer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from tokumei.core.text import Text, language
from tokumei.studio.recipes import Same
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import STEPS, ProjectState
from tokumei.studio.web.render import Visit, page

TITLES = {
    "look": Text("Look", "確認"),
    "purpose": Text("Purpose", "目的"),
    "candidates": Text("Candidates", "候補"),
    "attack": Text("Attack it", "攻撃"),
    "release": Text("Release", "公開"),
}
JOBS = {
    "look": Text("looking at the file", "ファイルの確認"),
    "advise": Text("making candidates", "候補の作成"),
    "preview": Text("showing rows", "行の表示"),
    "attack": Text("attacking", "攻撃"),
    "release": Text("writing the release", "公開用ファイルの作成"),
    "ledger": Text("checking with earlier releases", "これまでの公開との突き合わせ"),
    "audit": Text("auditing with people held out", "対照を取り分けた監査"),
    "tree": Text("proposing a hierarchy", "階層の提案"),
    "upload": Text("making an upload for the contest", "コンテスト提出物の作成"),
}


@dataclass(frozen=True)
class Step:
    """One of the five steps: how far it is."""

    name: str
    title: Text
    state: str
    """`here`, `done`, `stale`, `open` or `closed`."""


def steps_of(project: Project, state: ProjectState, here: str) -> list[Step]:
    """The steps in their order; one is open when what it needs is there."""
    made = {
        "look": project.result("look") is not None,
        "purpose": project.result("advice") is not None,
        "candidates": bool(state.selected),
        "attack": any(project.result(f"attacks/{id}") for id in state.selected[:1]),
        "release": project.result("released") is not None,
    }
    needs = {
        "purpose": "look",
        "candidates": "look",
        "attack": "candidates",
        "release": "candidates",
    }
    stale = stale_steps(project, state)
    found = []
    for name in STEPS:
        open_ = name not in needs or made[needs[name]]
        how = "done" if made[name] else "open" if open_ else "closed"
        how = "stale" if name in stale and made[name] else how
        found.append(Step(name, TITLES[name], "here" if name == here else how))
    return found


def stale_steps(project: Project, state: ProjectState) -> set[str]:
    """The steps whose results are of other decisions than those in force."""
    advice = project.result("advice")
    if advice is None or advice["inputs"] == state.inputs("candidates"):
        return set()
    return {"candidates", "attack", "release"}


def project_page(
    visit: Visit,
    project: Project,
    here: str,
    *,
    title: Text,
    same: Same,
    template: str = "",
    watched: tuple[str, ...] = (),
    **shown: Any,
) -> Response:
    """A page of the step `here`; `watched` are the jobs whose progress it shows."""
    state = project.state()
    jobs = visit.jobs.of(project)
    with language(visit.lang):
        return page(
            visit,
            template or f"{here}.html",
            title=title,
            project=project,
            state=state,
            here=here,
            steps=steps_of(project, state, here),
            stale=here in stale_steps(project, state),
            running=[job for job in jobs.values() if job.running],
            watched=[jobs[name] for name in watched if name in jobs],
            job_words=JOBS,
            same=same,
            version=visit.jobs.version(project),
            **shown,
        )
