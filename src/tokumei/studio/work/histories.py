"""What purchase histories bring to the studio's jobs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.studio.recipes import history_part, purpose_of
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState
from tokumei.studio.work.parts import SEED

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease

ROWS = 6


class HistoryParts:
    """Purchase histories."""

    def load(self, project: Project, state: ProjectState, look: Mapping[str, Any]) -> History:
        """The history as the recipe reads it."""
        from tokumei.core.yaml_models import validated
        from tokumei.histories.recipe import HistorySpec

        spec = validated(HistorySpec, history_part(state, str(project.source)), "history")
        return spec.layout().read(str(project.source))

    def adviser(self, source: History, project: Project, state: ProjectState) -> Adviser:
        """What proposes candidates."""
        from tokumei.advising import adviser

        return adviser(source, purpose_of(state), seed=SEED)

    def last(self, adviser: Any) -> HistoryRelease | None:
        """The release that was measured just now."""
        return None if adviser.made is None else adviser.made[1]

    def beside(
        self, source: History, release: HistoryRelease, look: Mapping[str, Any]
    ) -> dict[str, Any]:
        """First rows before and after; customers as shapes and pseudonyms."""
        from tokumei.tables.look.shapes import shape

        after = release.aligned_text()
        names = [name for name in source.frame.columns if name in after.columns]
        kept = release.rows.kept
        rows = [row for row in range(min(len(kept), 200)) if kept[row]][:ROWS]

        def cells(frame: Any, row: int, masked: bool) -> list[list[Any]]:
            told = frame[row].select(names).row(0)
            return [
                [
                    shape(str(cell)) if masked and name == "customer" else str(cell),
                    masked and name == "customer",
                ]
                for name, cell in zip(names, told, strict=True)
            ]

        return {
            "columns": names,
            "before": [cells(source.frame, row, True) for row in rows],
            "after": [cells(after, row, False) for row in rows],
            "left_out": int((~kept).sum()),
            "sizes": [],
        }

    def attacked(self, source: History, release: HistoryRelease) -> dict[str, Any]:
        """All attacks; nobody is named."""
        from tokumei.histories.flow import attack
        from tokumei.histories.registry import attackers

        hits = attack(source, release, seed=SEED)
        return {
            "attacks": [
                {"name": name, "title": list(attackers.get(name).title), **one.as_json()}
                for name, one in sorted(hits.items(), key=lambda one: -one[1].rate)
            ],
            "people": len(source.customers),
            "exposed": [],
        }

    def pages(self, project: Project, folder: Path) -> list[Any]:
        """None yet: conformity pages of histories need the contest's files."""
        return []
