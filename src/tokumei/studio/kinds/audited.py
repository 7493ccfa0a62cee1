"""A rehearsal of a table's release with people held out, and what attacks tell of both.

A success rate says nothing without people who were not in the data. So some are set aside at
random, the same release is made from the others, and attackers try to tell the two apart.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tokumei.core.text import Text, current_language
from tokumei.studio.kinds.kind import SEED
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState

if TYPE_CHECKING:
    from tokumei.core.advice.request import Request
    from tokumei.studio.kinds.tables import StudioTables
    from tokumei.tables.advising.source import TableSource
    from tokumei.tables.data.table import Table

CONTROL, REFERENCE = 0.3, 0.2
ROWS = Text(
    "People have several rows here: the figures count rows, each as if it were another person.",
    "1 人が複数の行をもつため、ここでは 1 行を 1 人として数えています。",
)


def audit_told(
    kind: StudioTables, source: TableSource, project: Project, state: ProjectState, request: Request
) -> dict[str, Any]:
    """The audit's sentences, in people; figures stand in its own report."""
    from tokumei.tables.audit.audit import audit
    from tokumei.tables.audit.people import split_people
    from tokumei.tables.data.person_values import count_persons
    from tokumei.tables.report.audit_page import render_audit
    from tokumei.tables.report.audit_words import MODELS, not_tried, verdicts
    from tokumei.tables.services.advise import take_advice_source

    planned = source.plan(request).table
    parts = split_people(
        planned, control=CONTROL, reference=REFERENCE, person=state.person, seed=SEED
    )
    adviser = kind.adviser(take_advice_source(parts["members"], source.request), project, state)
    people: dict[str, Any] = dict(parts)
    with TemporaryDirectory() as folder:
        release = adviser.release(_with_trees(request, planned, Path(folder)))
        found = audit(release, **people, seed=SEED)
    several = state.person and count_persons(planned.frame[state.person]) < planned.rows
    warnings = [*found.warnings, *([ROWS] if several else [])]
    return {
        "counts": {name: parts[name].rows for name in parts},
        "verdicts": [[list(question), list(answer)] for question, answer in verdicts(found)],
        "model": list(MODELS[found.model]),
        "not_tried": [list(one) for one in not_tried(found)],
        "warnings": [list(one) for one in warnings],
        "page": render_audit(found, lang=current_language()),
    }


def _with_trees(request: Request, source: Table, folder: Path) -> Request:
    """The request with hierarchies of everybody's values.

    Proposed from the members alone, a group would hold no value of people held out, who could then
    be told by that.
    """
    from tokumei.core.advice.request import GENERALIZE
    from tokumei.tables.hierarchies.choose import choose_hierarchies
    from tokumei.tables.hierarchies.files import write_hierarchy
    from tokumei.tables.registry import anonymizers

    names = request.with_fate(GENERALIZE)

    def grown(step: Any) -> Any:
        taken = {one.name for one in fields(anonymizers.get(str(step["method"])))}
        if "hierarchies" not in taken:
            return step
        given = step.get("hierarchies") or dict.fromkeys(names, "auto")
        trees = choose_hierarchies(given, source.frame, names)
        paths = {name: folder / f"{place}.csv" for place, name in enumerate(trees)}
        for name, path in paths.items():
            write_hierarchy(trees[name], path)
        return {**step, "hierarchies": {name: str(path) for name, path in paths.items()}}

    return replace(request, steps=tuple(grown(step) for step in request.steps))
