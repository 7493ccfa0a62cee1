"""Violations of limits on joint figures, with remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import Violation
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.ledger.joint_risk import Check

REMEDIES = Message(
    "What helps: give the same classes again (--reuse), cut so that no earlier class falls apart "
    "(--apart), make it from unions of an earlier release's classes (--coarsen-of), or hold back "
    "people whose earlier class has lost too many (--wait)",
    "対処: 以前と同じクラスで出す (--reuse)、以前のクラスを k 人未満に割らない (--apart)、以前の"
    "クラスの和で作る (--coarsen-of)、以前のクラスが k 人未満になった人の行を見送る (--wait)",
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
        f"{len(check.entries)} releases together: the smallest joint class has a size of "
        f"{linked.k_min}, and {linked.below_people} of {linked.people} people are in one below "
        f"{k}. {REMEDIES.en}",
        f"{len(check.entries)} 件を合わせると、最小の共通クラスは {linked.k_min} 人で、"
        f"{linked.people} 人中 {linked.below_people} 人が {k} 人未満のクラスに入ります。"
        f"{REMEDIES.ja}",
    )
    return Violation(rule="joint-k", message=message)


def _certainty_violations(check: Check, max_share: float) -> list[Violation]:
    shares = {}
    if check.linked is not None and check.is_linked:
        shares[Message("linked", "行が結び付く場合")] = check.linked.certain
    if check.unlinked is not None:
        shares[Message("unlinked", "行が結び付かない場合")] = check.unlinked.certain
    return [
        Violation(
            rule="certain",
            message=Message(
                f"a sensitive value is certain for {format_percent(share)} of the people "
                f"({assumption.en}), "
                f"more than {format_percent(max_share)}",
                f"機密属性の値が確定する人が {format_percent(share)} います ({assumption.ja})。"
                f"上限は {format_percent(max_share)}",
            ),
        )
        for assumption, share in shares.items()
        if share > max_share
    ]
