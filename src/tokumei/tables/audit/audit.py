"""Runs the whole audit: membership, singling out and attribute inference.

    result = audit(release, members=m, control=c, reference=r, qi=["age", "sex"], sa=["illness"])
    result.membership.corrected, result.attributes["illness"].best.risk, result.singling_out

Three questions, each answered with a control: was somebody in the data, can a sensitive value be
inferred, can somebody be singled out? The release may come from any tool, and have more or fewer
rows than there are members.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.core.randomness import Randomness
from tokumei.core.result_table import ShownAsTable
from tokumei.tables.audit.attacker_view import AttackerModel, AttackerObservation
from tokumei.tables.audit.attribute_inference import AttributeInference, audit_attribute
from tokumei.tables.audit.audit_case import AuditCase, DrawnTargets
from tokumei.tables.audit.audit_remarks import (
    few_people_warnings,
    require_other_people,
    truncation_warnings,
)
from tokumei.tables.audit.control_test import ControlTest, PropensityStrata, control_test
from tokumei.tables.audit.inputs import AUDIT_KINDS, AuditKind, build_audit_case
from tokumei.tables.audit.membership import MembershipResult, audit_membership
from tokumei.tables.audit.sensitive_values import read_sensitive_values
from tokumei.tables.audit.singling_out import DEFAULT_WIDTH, SinglingOut, audit_singling_out
from tokumei.tables.data.table import AnyRelease, AnyTable
from tokumei.tables.hierarchies.hierarchy import Hierarchy

DEFAULT_TARGETS = 10_000
NO_INFERENCE_WARNING = Message(
    "nothing was inferred: that needs a sensitive column and a quasi-identifier (sa, qi)"
)

SWAPPED_FILES_WARNING = Message(
    "the control fits the release better than the members do: are the two files exchanged?"
)


@dataclass(frozen=True, eq=False, repr=False)
class Audit(ShownAsTable):
    """What the attacks found, how they were made, and what to be warned of.

    Parts that were not asked for, or could not be had, are None or empty.
    """

    model: AttackerModel
    known: tuple[str, ...]
    qi: tuple[str, ...]
    counts: dict[str, int]
    control_test: ControlTest
    membership: MembershipResult | None
    attributes: dict[str, AttributeInference]
    singling_out: list[SinglingOut]
    warnings: tuple[Message, ...]
    left_out: tuple[str, ...] = ()

    def table_rows(self) -> list[dict[str, object]]:
        """A row per question: the figure of the strongest attack, with its interval."""
        rows: list[dict[str, object]] = []
        if self.membership is not None:
            rows.append(
                {
                    "question": "membership",
                    "attack": self.membership.strongest,
                    "figure": "AUC",
                    **self.membership.corrected.as_json(),
                }
            )
        rows += [
            {
                "question": f"inference of {name}",
                "attack": inference.strongest,
                "figure": "risk",
                **inference.corrected.as_json(),
            }
            for name, inference in self.attributes.items()
        ]
        rows += [
            {
                "question": f"singling out by {result.columns} columns",
                "figure": "risk",
                **({} if result.corrected is None else result.corrected.as_json()),
            }
            for result in self.singling_out
        ]
        return rows

    def caption(self) -> Message | None:
        """What to be warned of."""
        if not self.warnings:
            return None
        return join_messages(self.warnings, SEMICOLON)

    def as_json(self) -> dict[str, object]:
        """All figures as plain data; no value of any person."""
        return {
            "model": self.model,
            "known": list(self.known),
            "qi": list(self.qi),
            "counts": self.counts,
            "control_test": self.control_test.as_json(),
            "membership": None if self.membership is None else self.membership.as_json(),
            "attribute": {name: part.as_json() for name, part in self.attributes.items()},
            "singling_out": [part.as_json() for part in self.singling_out],
            "columns_not_released": list(self.left_out),
            "warnings": [warning.show("en") for warning in self.warnings],
        }


def audit(
    release: AnyRelease | str | Path,
    *,
    members: AnyTable | str | Path,
    control: AnyTable | str | Path,
    reference: AnyTable | str | Path | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    known: Sequence[str] | None = None,
    hierarchies: str | Mapping[str, Hierarchy | str] | None = None,
    kinds: Sequence[AuditKind] = AUDIT_KINDS,
    model: AttackerModel = "together",
    groups: Sequence[str] = (),
    person: str | None = None,
    tolerance: Mapping[str, float] | None = None,
    width: int = DEFAULT_WIDTH,
    targets: int = DEFAULT_TARGETS,
    seed: int | None = None,
    names: Mapping[str, str] | None = None,
) -> Audit:
    """Attack a release as somebody would who knows people but not who is in it.

    `members` made the release, `control` are people of the same population who did not, and
    `reference` others whom the attacker knows: frames, Tables or paths. `person` names the column
    that tells whether two rows are of one person. `targets`: how many of each are asked about.
    `names`: what messages call the release, the members, the control and the reference.
    """
    case = build_audit_case(
        {"members": members, "control": control, "reference": reference},
        release,
        roles={"qi": qi, "sa": sa, "known": known},
        hierarchies=hierarchies,
        kinds=kinds,
        model=model,
        groups=groups,
        person=person,
        names=names or {},
    )
    rng = Randomness(seed).child("audit")
    drawn = DrawnTargets.of(case, targets, rng=rng.child("drawn"))
    with limit_blas_threads():
        seen = case.seen(case.known, drawn, model)
        control_result = control_test(seen, drawn.member, rng=rng.child("control"))
        require_other_people(control_result, drawn, (names or {}).get("control", "control"))
        membership_result = None
        if "membership" in kinds:
            strata = control_result.strata if control_result.differs else None
            membership_result = _run_membership_audit(
                case, seen, drawn, groups, strata, rng.child("membership")
            )
        attribute_results = {
            name: _run_attribute_audit(case, name, drawn, model, (tolerance or {}).get(name))
            for name in (case.sa if "attribute" in kinds and case.qi else ())
        }
        wants_singling_out = "singling-out" in kinds
        singling_out_results = (
            _run_singling_out_audit(case, width, rng.child("singling-out"))
            if wants_singling_out
            else []
        )
    counts = _count_people(case, seen, drawn)
    swap_warnings = (
        [SWAPPED_FILES_WARNING]
        if membership_result is not None and membership_result.corrected.high < 0.5
        else []
    )
    inference_warnings = (
        [NO_INFERENCE_WARNING] if "attribute" in kinds and not attribute_results else []
    )
    warnings = (
        *control_result.warnings,
        *swap_warnings,
        *few_people_warnings(case),
        *truncation_warnings(counts),
        *inference_warnings,
    )
    return Audit(
        model,
        case.known,
        case.qi,
        counts,
        control_result,
        membership_result,
        attribute_results,
        singling_out_results,
        warnings,
        case.left_out,
    )


def _run_membership_audit(
    case: AuditCase,
    seen: AttackerObservation,
    drawn: DrawnTargets,
    groups: Sequence[str],
    strata: PropensityStrata | None,
    rng: Randomness,
) -> MembershipResult:
    ceiling = case.with_members_as_release().seen(case.known, drawn, seen.model)
    people = drawn.people(case, list(groups)) if groups else pl.DataFrame()
    parts = {name: people[name][: seen.targets] for name in groups}
    return audit_membership(seen, ceiling, drawn.member, parts, strata, rng=rng)


def _run_attribute_audit(
    case: AuditCase, name: str, drawn: DrawnTargets, model: AttackerModel, tolerance: float | None
) -> AttributeInference:
    other_qi = [qi_name for qi_name in case.qi if qi_name != name]
    people = drawn.people(case, [name])
    (column,) = case.read([name], people)
    sensitive = read_sensitive_values(column, case.release[name], people[name], tolerance)
    return audit_attribute(case.seen(other_qi, drawn, model), sensitive, drawn.member, name)


def _run_singling_out_audit(case: AuditCase, width: int, rng: Randomness) -> list[SinglingOut]:
    """Members against as many who are not in the data: controls, then people of the reference.

    Fewer members than there are would make descriptions of the others look like failures.
    """
    parts = {"members": case.members, "control": case.control, "reference": case.reference}
    member_rows, *others = (
        frame.select(case.columns)[rng.child(side).generator.permutation(frame.height)]
        for side, frame in parts.items()
        if frame is not None
    )
    other_rows = pl.concat(others)
    size = min(member_rows.height, other_rows.height)
    people = pl.concat([member_rows[:size], other_rows[:size]])
    columns = case.read(case.columns, people)
    return audit_singling_out(columns, size, rng=rng, width=width)


def _count_people(
    case: AuditCase, seen: AttackerObservation, drawn: DrawnTargets
) -> dict[str, int]:
    is_suppressed = [column.suppressed for column in seen.columns]
    suppressed_rows = int(np.logical_and.reduce(is_suppressed).sum()) if is_suppressed else 0
    return {
        "release": case.release.height,
        "members": case.members.height,
        "control": case.control.height,
        "reference": 0 if case.reference is None else case.reference.height,
        "targets": len(drawn.targets),
        "target_controls": int((~drawn.member).sum()),
        "reference_used": len(drawn.reference),
        "bystanders": len(drawn.bystanders),
        "suppressed_rows": suppressed_rows,
    }


def limit_blas_threads() -> AbstractContextManager[object]:
    """While it is open, products of matrices stay in the thread that asks for them.

    Threads that wait for each other cost more than they save: 20,000 people against 10,000 rows
    take a third less processor time with one. The switch is scikit-learn's (`threadpoolctl`);
    without it the environment decides (OPENBLAS_NUM_THREADS).
    """
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits
