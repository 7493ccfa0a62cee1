"""What tables bring to the studio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.text import Text, current_language
from tokumei.core.yaml_models import validated
from tokumei.files.writing import text_output
from tokumei.studio.kinds.kind import NAME, SEED, Look, Request, StudioKind
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.tables.advising.source import TableSource
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.services.comparison_requests import ComparisonRequest

FATES = {"quasi": "generalize", "sensitive": "protect", "keep": "pass"}


class StudioTables(StudioKind):
    """Tables: a row is a person, or people are told apart by a column."""

    title: ClassVar = Text(
        "A table: a row is a person (or people by a number)",
        "表: 1 行が 1 人（または番号で人を区別）",
    )
    asks: ClassVar = frozenset({"known", "predict", "tables", "models"})
    wishes: ClassVar = frozenset({"safer", "more detail", "without suppressed rows", "drop"})
    records: ClassVar = True
    audits: ClassVar = True

    def names(self, state: ProjectState) -> list[str]:
        """The columns that leave, in any form."""
        found = state.columns_as("quasi", "sensitive", "keep")
        return [name for name in found if name != state.person]

    def usual(self, state: ProjectState) -> set[str]:
        """What is made coarser."""
        return {*state.columns_as("quasi")}

    def people(self, state: ProjectState) -> list[str]:
        """The person's column, then those that say who."""
        first = [] if state.person is None else [state.person]
        return list(dict.fromkeys([*first, *state.columns_as("identifier", "drop")]))

    def source(self, state: ProjectState, look: Look, file: str) -> dict[str, Any]:
        """The recipe's key `data`."""
        return {"data": data_part(state, look, file)}

    def recipe(
        self, state: ProjectState, look: Look, request: Request, file: str
    ) -> dict[str, Any]:
        """The release, all attacks and measures; exact rates, as the page Attack shows them."""
        return {
            "title": state.name,
            "data": data_part(state, look, file, request),
            "releases": [{"name": NAME, "steps": [dict(step) for step in request["steps"]]}],
            "attacks": [],
            "measures": [],
            "expected": True,
        }

    def advise_command(self, state: ProjectState, options: list[str]) -> list[str]:
        """The file."""
        return ["tokumei", "advise", state.source, *options]

    def advise_python(self, state: ProjectState) -> tuple[str, str]:
        """The file, and what becomes of its columns."""
        more = f",\n    fates={fates_of(state)!r}"
        more += f",\n    person={state.person!r}" if state.person else ""
        return repr(state.source), more

    def anonymize_command(self, state: ProjectState, request: Request) -> list[str]:
        """The file and the roles of its columns."""
        command = ["tokumei", "anonymize", "table", "--data", state.source]
        fates = request["columns"]
        for option, fate in OPTIONS.items():
            names = [name for name, one in fates.items() if one == fate]
            command += [option, ",".join(names)] if names else []
        return command

    def anonymize_python(self, state: ProjectState, request: Request) -> list[str]:
        """All steps at once."""
        fates = request["columns"]
        chosen = {
            role: [name for name, one in fates.items() if one == fate]
            for role, fate in (("qi", "generalize"), ("sa", "protect"), ("ids", "drop"))
        }
        roles = "".join(f",\n    {role}={names!r}" for role, names in chosen.items() if names)
        steps = [dict(step) for step in request["steps"]]
        return [
            f"table = tk.read_table({state.source!r}{roles},\n)",
            f"release = tk.anonymize(table, {steps!r})",
        ]

    def record_python(self, state: ProjectState) -> str:
        """The rows behind the release, and who they are."""
        named = None if state.ledger is None else state.ledger.id
        return f", source=table, ids={named!r}"

    def load(self, project: Project, state: ProjectState, look: Look) -> TableSource:
        """The table as the recipe reads it, with its profile."""
        from tokumei.tables.recipe_data import DataSpec
        from tokumei.tables.services.advise import read_advice_source

        part = data_part(state, look, str(project.source))
        return read_advice_source(validated(DataSpec, part, "data").request())[0]

    def rows(self, source: TableSource, release: Release) -> Table:
        """The original read as its release was."""
        from tokumei.tables.services.open_comparison import open_comparison

        return open_comparison(_comparison(source, release)).case.original

    def adviser(self, source: TableSource, project: Project, state: ProjectState) -> Adviser:
        """What proposes candidates."""
        from tokumei.studio.recipes import purpose_of
        from tokumei.studio.store.trees import hierarchies_of
        from tokumei.tables.services.advise import AdviseTableRequest, advise_table

        request = AdviseTableRequest(
            purpose=purpose_of(state),
            table=source.request,
            fates=fates_of(state),
            hierarchies=hierarchies_of(project, state),
            seed=SEED,
        )
        return advise_table(request, source)

    def last(self, adviser: Any) -> Release | None:
        """The release that was measured just now."""
        return None if adviser.made is None else adviser.made.release

    def beside(self, source: TableSource, release: Release, look: Look) -> dict[str, Any]:
        """First rows before and after; classes by size."""
        from tokumei.tables.releasing.beside import class_sizes, rows_beside

        masked = [one["name"] for one in look["columns"] if one["masked"]]
        found = rows_beside(source.table.with_text(), release, masked=masked)
        return {**found.as_json(), "sizes": class_sizes(release)}

    def attacked(self, source: TableSource, release: Release) -> dict[str, Any]:
        """All attacks, and the rows that stand out, as published."""
        from tokumei.tables.registry import attackers
        from tokumei.tables.report.standing_out import rarities, shown_value
        from tokumei.tables.risk.exposure import most_exposed
        from tokumei.tables.services.attack import attack_table
        from tokumei.tables.services.comparison_requests import AttackTableRequest

        comparison = _comparison(source, release)
        found = attack_table(AttackTableRequest(comparison=comparison, expected=True, seed=SEED))
        exposed = most_exposed(found.case, 6)
        return {
            "attacks": [
                {"name": name, "title": list(attackers.get(name).title), **rate.as_json()}
                for name, rate in sorted(found.rates.items(), key=lambda one: -one[1].rate)
            ],
            "people": release.public.rows,
            "exposed": [
                {
                    "cells": {name: shown_value(cell) for name, cell in one.values.items()},
                    "reason": list(one.reason),
                    "rare": [[why.column, why.value, *why.text] for why in rare],
                }
                for one, rare in zip(exposed, rarities(exposed, found.case), strict=True)
            ],
        }

    def audited(
        self, source: TableSource, project: Project, state: ProjectState, request: Any
    ) -> dict[str, Any]:
        """Three in ten people are held out, two in ten are known to the attacker otherwise."""
        from tokumei.studio.kinds.audited import audit_told

        return audit_told(self, source, project, state, request)

    def pages(self, project: Project, folder: Path) -> list[Any]:
        """The conformity page."""
        from tokumei.conformity.conform import conformity_of
        from tokumei.conformity.page import render_conformity
        from tokumei.core.conformity import CaseFiles

        files = CaseFiles(
            "table",
            str(project.source),
            str(folder / "releases/01-release.csv"),
            truth=str(folder / "secret/01-release.csv"),
        )
        page = render_conformity(conformity_of(files), lang=current_language())
        return [text_output(page, folder / "conformity.html")]


OPTIONS = {"--qi": "generalize", "--sa": "protect", "--pass": "pass", "--id": "drop"}


def fates_of(state: ProjectState) -> dict[str, str]:
    """By column what becomes of it, as `advise` takes it; the person's column leaves, too."""
    found = {name: FATES.get(role, "drop") for name, role in state.roles.items()}
    if state.person is not None:
        found[state.person] = "drop"
    return found


def data_part(
    state: ProjectState, look: Look, file: str, request: Request | None = None
) -> dict[str, Any]:
    """The recipe's key `data`: where the table is, how it is read, what its columns are."""
    fates = fates_of(state) if request is None else request["columns"]
    consent = [] if request is None else request["consent"]

    dropped = [name for name in state.roles if fates.get(name, "drop") == "drop"]
    identifiers = [name for name in dropped if state.roles[name] == "identifier"]

    def named(*wanted: str, among: Sequence[str] = tuple(state.roles)) -> list[str]:
        return [name for name in among if fates.get(name, "drop") in wanted]

    part: dict[str, Any] = {"file": file, "no_roles": True, **_reading(look["dialect"])}
    part |= {"qi": named("generalize"), "sa": named("protect"), "ids": identifiers}
    part |= {
        "drop": [name for name in dropped if name not in identifiers],
        "passed": named("pass", "protect", among=consent),
        "qi_anyway": named("generalize", among=consent),
        "person": state.person or _nobody_told_apart(look),
        "no_normalize": list(state.off),
        "bad_cells": "missing",
    }
    return {key: value for key, value in part.items() if value not in (None, [])}


def _nobody_told_apart(look: Look) -> str | None:
    """That somebody took back who is a person; None: nobody decided it."""
    return "none" if look.get("person") else None


def _comparison(source: TableSource, release: Release) -> ComparisonRequest:
    """The rows of a project beside a release of them."""
    from tokumei.tables.services.comparison_requests import ComparisonRequest

    return ComparisonRequest(original=source.table.with_text().frame, release=release)


def _reading(dialect: Mapping[str, Any]) -> dict[str, Any]:
    """How the file is written, where a strict reader would not find it out."""
    if dialect["plain"]:
        return {}
    return {"sheet": dialect["sheet"], "header_row": dialect["header_row"] or "none"}
