"""Violations of limits on joint figures, with remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import Violation
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.ledger.joint_risk import Check

REMEDIES = Message(
    "What helps: give the same classes again (--reuse), cut so that no earlier class falls apart "
    "(--apart), make it from unions of an earlier release's classes (--coarsen-of), or hold back "
    "people whose earlier class has lost too many (--wait)"
)


def limit_violations(
    check: Check, joint_k: int | None, certain: float | None, by_verdict: bool
) -> tuple[Violation, ...]:
    """The limits that are broken; with `by_verdict`, only where rows can be linked."""
    faults = []
    linked = check.linked
    smallest_k = None if linked is None else linked.k_min
    is_checked = len(check.entries) > 1 and (check.is_linked or not by_verdict)
    if is_checked and joint_k is not None and smallest_k is not None and smallest_k < joint_k:
        faults.append(_joint_k_violation(check, joint_k))
    if certain is not None:
        faults += _certainty_violations(check, certain)
    return tuple(faults)


def _joint_k_violation(check: Check, k: int) -> Violation:
    linked = check.linked
    assert linked is not None
    message = Message(
        "{releases} releases together: the smallest joint class has a size of {smallest}, and "
        "{below} of {people} people are in one below {k}. {remedies}",
        releases=len(check.entries),
        smallest=linked.k_min,
        below=linked.below_people,
        people=linked.people,
        k=k,
        remedies=REMEDIES,
    )
    return Violation(rule="joint-k", message=message)


def _certainty_violations(check: Check, max_share: float) -> list[Violation]:
    shares = {}
    if check.linked is not None and check.is_linked:
        shares[Message("if rows are linked")] = check.linked.certain
    if check.unlinked is not None:
        shares[Message("if rows are not linked")] = check.unlinked.certain
    return [
        Violation(
            rule="certain",
            message=Message(
                "a sensitive value is certain for {share:percent} of the people ({assumption}), "
                "more than {most:percent}",
                share=share,
                assumption=assumption,
                most=max_share,
            ),
        )
        for assumption, share in shares.items()
        if share > max_share
    ]
