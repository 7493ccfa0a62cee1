"""`Assessment`: one versioned document about one release, the same on every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.assessment.assumptions import Assumption
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.control_audit import AuditFigures
from tokumei.assessment.information_kept import ColumnKept
from tokumei.assessment.joint import JointFigures
from tokumei.assessment.remedy import Remedy
from tokumei.assessment.uniqueness import Uniqueness
from tokumei.assessment.uses import UseFigure
from tokumei.assessment.verdict import CheckedClaimLine, ReleaseVerdict, Unknown
from tokumei.assessment.worst_off import WorstOffGroup
from tokumei.core.language import Language, current_language
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario

if TYPE_CHECKING:
    from tokumei.assessment.conformity_checks import ConformityFigures

DOCUMENT_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """What was found about a release under a scenario, and the verdict."""

    verdict: ReleaseVerdict
    scenario: Scenario
    knows: tuple[str, ...]
    unit: str
    total: int
    total_source: int
    rows: int
    rows_source: int
    attackers: Sequence[AttackerFigures] = ()
    bound: AttackerFigures | None = None
    uniqueness: Uniqueness | None = None
    worst_off: Sequence[WorstOffGroup] = ()
    kept: float | None = None
    columns: Sequence[ColumnKept] = ()
    claims: Sequence[CheckedClaimLine] = ()
    assumptions: Sequence[Assumption] = ()
    remedies: Sequence[Remedy] = ()
    remedy_note: Message | None = None
    unknown: Sequence[Unknown] = ()
    joint: JointFigures | None = None
    audit: AuditFigures | None = None
    conformity: ConformityFigures | None = None
    uses: Sequence[UseFigure] = ()
    notes: Sequence[Message] = field(default=(), repr=False)

    @property
    def exit_code(self) -> int:
        """0: fits; 1: does not fit; 2: cannot be told."""
        return {"fits": 0, "does-not-fit": 1, "unknown": 2}[self.verdict.word]

    def to_dict(self) -> dict[str, object]:
        """The document as plain data (docs/assessment.schema.json)."""
        scenario: Mapping[str, object] = self.scenario.to_dict()
        return {
            "version": DOCUMENT_VERSION,
            **self.verdict.to_dict(),
            "assumptions": [assumption.to_dict() for assumption in self.assumptions],
            "unit": self.unit,
            "total": self.total,
            "total_source": self.total_source,
            "rows": self.rows,
            "rows_source": self.rows_source,
            "scenario": {**scenario, "knows": list(self.knows)},
            "attackers": [attacker.to_dict() for attacker in self.attackers],
            "bound": None if self.bound is None else self.bound.to_dict(),
            "unique": None if self.uniqueness is None else self.uniqueness.unique,
            "uniqueness": None if self.uniqueness is None else self.uniqueness.to_dict(),
            "worst_off": [group.to_dict() for group in self.worst_off],
            "kept": self.kept,
            "columns": [column.to_dict() for column in self.columns],
            "claims": [claim.to_dict() for claim in self.claims],
            "remedies": [remedy.to_dict() for remedy in self.remedies],
            "remedy_note": None if self.remedy_note is None else self.remedy_note.texts(),
            "unknown": [unknown.to_dict() for unknown in self.unknown],
            "joint": None if self.joint is None else self.joint.to_dict(),
            "audit": None if self.audit is None else self.audit.to_dict(),
            "conformity": None if self.conformity is None else self.conformity.to_dict(),
            "uses": [use.to_dict() for use in self.uses],
        }

    def report(self, path: str | Path, *, release: str = "", lang: Language | None = None) -> Path:
        """Write the hand-over report, one HTML page that works offline; its path.

        `release` is the name of the released file, which the page shows.
        """
        from tokumei.assessment.page import render_assessment_page
        from tokumei.files.writing import write_text

        language = lang or current_language()
        page = render_assessment_page(self, release=release, lang=language)
        write_text(page, path)
        return Path(path)

    def __str__(self) -> str:
        from tokumei.assessment.text_view import describe_assessment

        return describe_assessment(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from tokumei.assessment.html_view import render_assessment

        return render_assessment(self)
