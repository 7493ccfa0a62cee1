"""Parts of a table recipe: steps of a release, audit, chart axes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tokumei.core.yaml_models import StrictModel
from tokumei.tables.audit.audit import DEFAULT_TARGETS, Audit, audit
from tokumei.tables.audit.inputs import AUDIT_KINDS, AuditKind
from tokumei.tables.audit.member_control_alignment import split_people
from tokumei.tables.data.table import Release, Table


class StepsSpec(StrictModel):
    """One release: a name and the steps that make it."""

    name: str = Field(min_length=1)
    steps: list[dict[str, object]] = Field(min_length=1)


class AuditSpec(StrictModel):
    """People held out before the releases are made, and what is asked of each release."""

    control: float = Field(default=0.3, gt=0, lt=1)
    reference: float = Field(default=0.2, ge=0, lt=1)
    kinds: list[AuditKind] = Field(default_factory=lambda: list(AUDIT_KINDS), min_length=1)
    model: Literal["together", "alone"] = "together"
    known: list[str] | None = None
    groups: list[str] = Field(default_factory=list)
    targets: int = Field(default=DEFAULT_TARGETS, ge=30)

    def split(self, people: Table, seed: int | None) -> dict[str, Table]:
        """Members, control and reference."""
        return split_people(people, control=self.control, reference=self.reference, seed=seed)

    def of(self, release: Release, parts: dict[str, Table], seed: int | None) -> Audit:
        """The audit of a release of the members."""
        return audit(
            release,
            members=parts["members"],
            control=parts["control"],
            reference=parts.get("reference"),
            seed=seed,
            **self.model_dump(exclude={"control", "reference"}),
        )


class FigureSpec(StrictModel):
    """What the report's chart shows: a loss, and an attack instead of the strongest."""

    x: str | None = None
    y: str | None = None
