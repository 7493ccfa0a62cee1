"""The audit with a control group, in the few figures that an assessment shows.

found = audit_with_control(opened, scenario, knows, control="others.csv")
found.membership, found.attributes["illness"]

The control are people of the same population who are not in the data. An attacker who does no
better on the people in the data than on them learned nothing from the release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.assessment.opened_release import OpenedRelease
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.tables.audit.attack_statistics import Interval
    from tokumei.tables.audit.audit import Audit
    from tokumei.tables.data.table import Table

    Control = Table | ArrowFrame | str | Path

AUDIT_SEED = 35


@dataclass(frozen=True, kw_only=True)
class AuditedQuestion:
    """A question and the strongest attack's figure; `is_found`: beyond what chance explains."""

    question: str
    column: str | None
    attack: str | None
    value: float
    low: float
    high: float
    nothing: float
    """The value at which an attacker learned nothing from the release."""

    @property
    def is_found(self) -> bool:
        """Whether the whole interval lies above what says nothing."""
        return self.low > self.nothing

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {**vars(self), "found": self.is_found}


@dataclass(frozen=True, kw_only=True)
class AuditFigures:
    """How many people were asked about on both sides, what was found, and warnings."""

    members: int
    control: int
    questions: Sequence[AuditedQuestion]
    warnings: Sequence[Message] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "members": self.members,
            "control": self.control,
            "questions": [question.to_dict() for question in self.questions],
            "warnings": [warning.texts() for warning in self.warnings],
        }


def audit_with_control(
    opened: OpenedRelease, knows: Sequence[str], control: Control
) -> AuditFigures:
    """Attack the release with the people in it and with others, by what the recipient knows."""
    from tokumei.tables.audit.audit import audit

    schema = opened.original.schema
    shared = {*opened.columns}
    others = _read_control(control, opened)
    known = [name for name in knows if name in others.frame.columns]
    found = audit(
        opened.released,
        members=opened.original,
        control=others,
        qi=known or [name for name in schema.qi if name in shared],
        sa=[name for name in schema.sa if name in shared and name not in known],
        known=known or None,
        hierarchies=dict(opened.hierarchies) or None,
        person=opened.person if opened.counts_people else None,
        seed=AUDIT_SEED,
    )
    return _summarize(found)


def _read_control(control: Control, opened: OpenedRelease) -> Table:
    """The control group, its columns typed as the original has them."""
    from tokumei.tables.data.reading import read_table
    from tokumei.tables.data.table import Table
    from tokumei.tables.profiling.retype_original import retype_original

    schema = opened.original.schema
    if isinstance(control, str | Path):
        table = read_table(control, qi=(), sa=())
    else:
        table = Table.of(control)
    table.schema.require([*schema.qi, *schema.sa], where=str(control)[:200])
    return retype_original(table, opened.original, None)[0]


def _summarize(found: Audit) -> AuditFigures:
    questions = list[AuditedQuestion]()
    if found.membership is not None:
        membership = found.membership
        questions.append(_question("membership", membership.corrected, 0.5, membership.strongest))
    questions += [
        _question("attribute", part.corrected, 0.0, part.strongest, name)
        for name, part in found.attributes.items()
    ]
    singled_out = [part for part in found.singling_out if part.corrected is not None]
    if singled_out:
        worst = max(singled_out, key=lambda part: _interval(part.corrected)[0])
        questions.append(_question("singling-out", worst.corrected, 0.0, None))
    return AuditFigures(
        members=_count(found.counts, "members"),
        control=_count(found.counts, "control"),
        questions=questions,
        warnings=found.warnings,
    )


def _count(counts: Mapping[str, Any], name: str) -> int:
    return int(counts.get(name, 0))


def _interval(interval: Interval | None) -> tuple[float, float, float]:
    assert interval is not None
    return interval.value, interval.low, interval.high


def _question(
    question: str,
    interval: Interval | None,
    nothing: float,
    attack: str | None,
    column: str | None = None,
) -> AuditedQuestion:
    value, low, high = _interval(interval)
    return AuditedQuestion(
        question=question,
        column=column,
        attack=attack,
        value=value,
        low=low,
        high=high,
        nothing=nothing,
    )
