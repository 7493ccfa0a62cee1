"""Studio adapter of tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.studio.adapters.base import COMPARISON_SEED, RELEASE_NAME, StudioAdapter
from tokumei.apps.studio.adapters.distributions import compare_distributions
from tokumei.apps.studio.adapters.table_recipe import OPTION_FATES, column_fates, recipe_data
from tokumei.apps.studio.adapters.table_remedies import FIXABLE_ACTIONS
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import (
    PlainData,
    ProfileRecord,
    RequestRecord,
)
from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.core.yaml_models import validate_model
from tokumei.files.writing import text_output

if TYPE_CHECKING:
    from tokumei.assessment.assessment import Assessment
    from tokumei.core.advice.adviser import Adviser, Proposal
    from tokumei.core.advice.request import Request
    from tokumei.core.scenario import Scenario
    from tokumei.files.atomic_write import Output
    from tokumei.tables.advice.table_source import TableSource
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.services.comparison_requests import ComparisonRequest

PUBLIC_FILE, LINK_FILE = "releases/01-release.csv", "secret/01-release.csv"


class TablesAdapter(StudioAdapter["TableSource", "Release"]):
    """Tables: a row is a person, or people are told apart by a column."""

    title: ClassVar = Message("A table: a row is a person (or people by a number)")
    asks: ClassVar = frozenset({"known", "predict", "tables", "models"})
    wishes: ClassVar = frozenset({"safer", "more detail", "without suppressed rows", "drop"})
    remedies: ClassVar = FIXABLE_ACTIONS
    records: ClassVar = True
    audits: ClassVar = True

    def purpose_columns(self, state: ProjectState) -> list[str]:
        """The columns that leave, in any form."""
        released_columns = state.columns_as("quasi", "sensitive", "keep", "replace")
        return [name for name in released_columns if name != state.person]

    def usual(self, state: ProjectState) -> set[str]:
        """The quasi-identifiers."""
        return {*state.columns_as("quasi")}

    def people(self, state: ProjectState) -> list[str]:
        """The person's column, then those that say who."""
        first = [] if state.person is None else [state.person]
        return list(dict.fromkeys([*first, *state.columns_as("identifier", "drop")]))

    def recipe_source(self, state: ProjectState, look: ProfileRecord, file: str) -> PlainData:
        """The recipe's key `data`."""
        return {"data": recipe_data(state, look, file)}

    def recipe(
        self, state: ProjectState, look: ProfileRecord, request: RequestRecord, file: str
    ) -> PlainData:
        """The release under its scenario, all attacks and measures."""
        from tokumei.apps.studio.scenario import to_scenario

        return {
            "title": state.name,
            "data": recipe_data(state, look, file, request),
            "scenario": to_scenario(state).to_dict(),
            "releases": [
                {"name": RELEASE_NAME, "steps": [dict(step) for step in request["steps"]]}
            ],
            "attacks": [],
            "measures": [],
            "expected": True,
        }

    def advise_command(self, state: ProjectState, options: list[str]) -> list[str]:
        """The file."""
        return ["tokumei", "advise", state.source, *options]

    def advise_python(self, state: ProjectState) -> tuple[str, str]:
        """The file, and what becomes of its columns."""
        further_arguments = f",\n    fates={column_fates(state)!r}"
        further_arguments += f",\n    person={state.person!r}" if state.person else ""
        return repr(state.source), further_arguments

    def anonymize_command(self, state: ProjectState, request: RequestRecord) -> list[str]:
        """The file and the roles of its columns."""
        command = ["tokumei", "anonymize", "table", "--data", state.source]
        fates = request["columns"]
        for option, fate in OPTION_FATES.items():
            names = [name for name, column_fate in fates.items() if column_fate == fate]
            command += [option, ",".join(names)] if names else []
        return command

    def anonymize_python(self, state: ProjectState, request: RequestRecord) -> list[str]:
        """All steps at once."""
        fates = request["columns"]
        columns_by_role = {
            role: [name for name, column_fate in fates.items() if column_fate == fate]
            for role, fate in (("qi", "generalize"), ("sa", "protect"), ("ids", "drop"))
        }
        roles = "".join(
            f",\n    {role}={names!r}" for role, names in columns_by_role.items() if names
        )
        steps = [dict(step) for step in request["steps"]]
        return [
            f"table = tk.read_table({state.source!r}{roles},\n)",
            f"release = tk.anonymize(table, {steps!r})",
        ]

    def record_python(self, state: ProjectState) -> str:
        """The rows behind the release, and who they are."""
        id_column = None if state.ledger is None else state.ledger.id
        return f", source=table, ids={id_column!r}"

    def load(self, project: Project, state: ProjectState, look: ProfileRecord) -> TableSource:
        """The table as the recipe reads it, with its profile."""
        from tokumei.tables.recipe_data import DataSpec
        from tokumei.tables.services.advise import read_advice_source

        part = recipe_data(state, look, str(project.source))
        return read_advice_source(validate_model(DataSpec, part, "data").request())[0]

    def rows(self, source: TableSource, release: Release) -> Table:
        """The original read as its release was."""
        from tokumei.tables.services.open_comparison import open_comparison

        return open_comparison(_comparison(source, release)).case.original

    def adviser(self, source: TableSource, project: Project, state: ProjectState) -> Adviser:
        """The adviser of the table."""
        from tokumei.apps.studio.command_equivalents import to_purpose
        from tokumei.apps.studio.store.hierarchies import list_hierarchies
        from tokumei.tables.services.advise import AdviseTableRequest, advise_table

        request = AdviseTableRequest(
            purpose=to_purpose(state),
            table=source.request,
            fates=column_fates(state),
            hierarchies=list_hierarchies(project, state),
            seed=COMPARISON_SEED,
        )
        return advise_table(request, source)

    def last(self, adviser: Adviser) -> Release | None:
        """The release that was measured just now."""
        from tokumei.tables.advice.adviser import TableAdviser

        assert isinstance(adviser, TableAdviser)
        return None if adviser.made is None else adviser.made.release

    def beside(self, source: TableSource, release: Release, look: ProfileRecord) -> PlainData:
        """First rows before and after."""
        from tokumei.tables.anonymization.before_after import rows_before_after

        masked = [column["name"] for column in look["columns"] if column["masked"]]
        original = source.table.with_text()
        preview = rows_before_after(original, release, masked=masked)
        distributions = compare_distributions(original.frame, release.public.frame, masked)
        return {**preview.as_json(), "distributions": distributions}

    def assess(
        self, source: TableSource, release: Release, scenario: Scenario, *, remedies: bool
    ) -> Assessment | None:
        """By the one service, from the rows as they were read."""
        from tokumei.assessment.assess import assess_table
        from tokumei.assessment.open_release import AssessTable

        original = source.table.with_text()
        return assess_table(
            AssessTable(
                original=original,
                release=release,
                scenario=scenario,
                remedies=remedies,
                conformity=remedies,
            )
        )

    def list_exposed(self, source: TableSource, release: Release) -> list[dict[str, object]]:
        """The rows that stand out, as published."""
        from tokumei.tables.report.row_exposure import find_rare_cells, format_value
        from tokumei.tables.risk.exposure import most_exposed
        from tokumei.tables.services.open_comparison import open_comparison

        case = open_comparison(_comparison(source, release)).case
        exposed = most_exposed(case, 6)
        return [
            {
                "cells": {name: format_value(cell) for name, cell in entry.values.items()},
                "reason": entry.reason.texts(),
                "rare": [[cell.column, cell.value, cell.text.texts()] for cell in rare],
            }
            for entry, rare in zip(exposed, find_rare_cells(exposed, case), strict=True)
        ]

    def propose_remedy(
        self, adviser: Adviser, request: Request, action: str, parameters: Mapping[str, object]
    ) -> list[Proposal]:
        """By the methods at hand: without columns, or coarser in them."""
        from tokumei.apps.studio.adapters.table_remedies import propose_remedy
        from tokumei.tables.advice.adviser import TableAdviser

        assert isinstance(adviser, TableAdviser)
        return propose_remedy(adviser, request, action, parameters)

    def propose_fitting(
        self, adviser: Adviser, request: Request, scenario: Scenario
    ) -> list[Proposal]:
        """Everything that may be known made coarser, or left out."""
        from tokumei.apps.studio.adapters.table_remedies import propose_fitting
        from tokumei.tables.advice.adviser import TableAdviser

        assert isinstance(adviser, TableAdviser)
        return propose_fitting(adviser, request, scenario)

    def audited(
        self, source: TableSource, project: Project, state: ProjectState, request: Request
    ) -> PlainData:
        """Three in ten people are held out, two in ten are known to the attacker otherwise."""
        from tokumei.apps.studio.adapters.audit_rehearsal import rehearse_audit

        return rehearse_audit(self, source, project, state, request)

    def extra_outputs(self, project: Project, folder: Path) -> list[Output]:
        """The conformity page."""
        from tokumei.conformity.assessment import assess_files
        from tokumei.conformity.page import render_conformity
        from tokumei.core.conformity_case import CaseFiles

        files = CaseFiles(
            "table",
            str(project.source),
            str(folder / PUBLIC_FILE),
            truth=str(folder / LINK_FILE),
        )
        page = render_conformity(assess_files(files), lang=current_language())
        return [text_output(page, folder / "conformity.html")]


def _comparison(source: TableSource, release: Release) -> ComparisonRequest:
    """The rows of a project beside a release of them."""
    from tokumei.tables.services.comparison_requests import ComparisonRequest

    return ComparisonRequest(original=source.table.with_text().frame, release=release)
