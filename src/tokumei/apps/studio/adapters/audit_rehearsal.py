"""Makes a release with some people held out, and attacks both groups.

A success rate says nothing without people who were not in the data. So some are set aside at
random, the same release is made from the others, and attackers try to tell the two apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tokumei.apps.studio.adapters.base import COMPARISON_SEED
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import PlainData
from tokumei.core.language import current_language
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.apps.studio.adapters.tables import TablesAdapter
    from tokumei.core.advice.request import Request
    from tokumei.tables.advice.table_source import TableSource
    from tokumei.tables.data.table import Table

CONTROL_SHARE, REFERENCE_SHARE = 0.3, 0.2
SEVERAL_ROWS_WARNING = Message(
    "People have several rows here: the figures count rows, each as if it were another person."
)


def rehearse_audit(
    adapter: TablesAdapter,
    source: TableSource,
    project: Project,
    state: ProjectState,
    request: Request,
) -> PlainData:
    """The audit's sentences, in people; figures stand in its own report."""
    from tokumei.tables.audit.audit import audit
    from tokumei.tables.audit.member_control_alignment import split_people
    from tokumei.tables.data.column_encoding import count_persons
    from tokumei.tables.report.audit_page import render_audit
    from tokumei.tables.report.audit_sentences import (
        ATTACKER_MODELS,
        audit_verdicts,
        untried_attacks,
    )
    from tokumei.tables.services.advise import take_advice_source

    planned = source.plan(request).table
    parts = split_people(
        planned,
        control=CONTROL_SHARE,
        reference=REFERENCE_SHARE,
        person=state.person,
        seed=COMPARISON_SEED,
    )
    adviser = adapter.adviser(take_advice_source(parts["members"], source.request), project, state)
    with TemporaryDirectory() as folder:
        release = adviser.release(_with_hierarchies(request, planned, Path(folder)))
        audit_result = audit(
            release,
            members=parts["members"],
            control=parts["control"],
            reference=parts["reference"],
            seed=COMPARISON_SEED,
        )
    has_several_rows = state.person and count_persons(planned.frame[state.person]) < planned.rows
    warnings = [*audit_result.warnings, *([SEVERAL_ROWS_WARNING] if has_several_rows else [])]
    return {
        "counts": {name: parts[name].rows for name in parts},
        "verdicts": [
            [question.texts(), answer.texts()] for question, answer in audit_verdicts(audit_result)
        ],
        "model": ATTACKER_MODELS[audit_result.model].texts(),
        "not_tried": [message.texts() for message in untried_attacks(audit_result)],
        "warnings": [message.texts() for message in warnings],
        "page": render_audit(audit_result, lang=current_language()),
    }


def _with_hierarchies(request: Request, source: Table, folder: Path) -> Request:
    """The request with hierarchies of everybody's values.

    Proposed from the members alone, a group would hold no value of people held out, who could then
    be told by that.
    """
    from tokumei.core.advice.request import GENERALIZE
    from tokumei.tables.hierarchies.choose import choose_hierarchies
    from tokumei.tables.hierarchies.files import write_hierarchy
    from tokumei.tables.registry import anonymizers

    names = request.columns_with_treatment(GENERALIZE)

    def with_written_trees(step: Mapping[str, object]) -> Mapping[str, object]:
        field_names = {field.name for field in fields(anonymizers.get(str(step["method"])))}
        if "hierarchies" not in field_names:
            return step
        tree_sources = step.get("hierarchies")
        if not isinstance(tree_sources, str | Mapping) or not tree_sources:
            tree_sources = dict.fromkeys(names, "auto")
        trees = choose_hierarchies(tree_sources, source.frame, names)
        paths = {name: folder / f"{number}.csv" for number, name in enumerate(trees)}
        for name, path in paths.items():
            write_hierarchy(trees[name], path)
        return {**step, "hierarchies": {name: str(path) for name, path in paths.items()}}

    return replace(request, steps=tuple(with_written_trees(step) for step in request.steps))
