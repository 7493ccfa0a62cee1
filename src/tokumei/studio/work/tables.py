"""What tables bring to the studio's jobs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.studio.recipes import data_part, fates_of, purpose_of
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState
from tokumei.studio.work.parts import SEED

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.tables.data.table import Release, Table


class TableParts:
    """Tables."""

    def load(self, project: Project, state: ProjectState, look: Mapping[str, Any]) -> Table:
        """The table as the recipe reads it."""
        from tokumei.core.yaml_models import validated
        from tokumei.tables.recipe_data import DataSpec, understood

        part = data_part(state, look, str(project.source))
        return understood(validated(DataSpec, part, "data"))

    def adviser(self, source: Table, project: Project, state: ProjectState) -> Adviser:
        """What proposes candidates."""
        from tokumei.advising import adviser
        from tokumei.studio.store.trees import hierarchies_of

        return adviser(
            source,
            purpose_of(state),
            seed=SEED,
            fates=fates_of(state),
            person=state.person or "none",
            hierarchies=hierarchies_of(project, state),
        )

    def last(self, adviser: Any) -> Release | None:
        """The release that was measured just now."""
        return None if adviser.made is None else adviser.made.release

    def beside(self, source: Table, release: Release, look: Mapping[str, Any]) -> dict[str, Any]:
        """First rows before and after; classes by size."""
        from tokumei.tables.releasing.beside import class_sizes, rows_beside

        masked = [one["name"] for one in look["columns"] if one["masked"]]
        found = rows_beside(source, release, masked=masked)
        return {**found.as_json(), "sizes": class_sizes(release)}

    def attacked(self, source: Table, release: Release) -> dict[str, Any]:
        """All attacks, and the rows that stand out, as published."""
        from tokumei.core.randomness import Randomness
        from tokumei.tables.comparing import compare
        from tokumei.tables.registry import attackers
        from tokumei.tables.report.standing_out import rarities, shown_value
        from tokumei.tables.risk.exposure import most_exposed
        from tokumei.tables.suite import attack_suite

        case = compare(source, release)
        rates = attack_suite(case, (), rng=Randomness(SEED), expected=True)
        exposed = most_exposed(case, 6)
        return {
            "attacks": [
                {"name": name, "title": list(attackers.get(name).title), **rate.as_json()}
                for name, rate in sorted(rates.items(), key=lambda one: -one[1].rate)
            ],
            "people": release.public.rows,
            "exposed": [
                {
                    "cells": {name: shown_value(cell) for name, cell in one.values.items()},
                    "reason": list(one.reason),
                    "rare": [[why.column, why.value, *why.text] for why in rare],
                }
                for one, rare in zip(exposed, rarities(exposed, case), strict=True)
            ],
        }

    def pages(self, project: Project, folder: Path) -> list[Any]:
        """The conformity page."""
        from tokumei.conformity.conform import conformity_of
        from tokumei.conformity.page import render_conformity
        from tokumei.core.conformity import CaseFiles
        from tokumei.core.text import current_language
        from tokumei.files.writing import text_output

        files = CaseFiles(
            "table",
            str(project.source),
            str(folder / "releases/01-release.csv"),
            truth=str(folder / "secret/01-release.csv"),
        )
        page = render_conformity(conformity_of(files), lang=current_language())
        return [text_output(page, folder / "conformity.html")]
