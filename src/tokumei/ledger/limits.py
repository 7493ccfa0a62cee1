"""Where a figure of several releases becomes a fault, and what can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import Fault
from tokumei.core.figures import percent
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.ledger.check import Check

NEXT = Text(
    "What helps: give the same classes again (--reuse), cut so that no earlier class falls apart "
    "(--apart), make it from unions of an earlier release's classes (--coarsen-of), or hold back "
    "people whose earlier class has lost too many (--wait)",
    "対処: 以前と同じクラスで出す (--reuse)、以前のクラスを k 人未満に割らない (--apart)、以前の"
    "クラスの和で作る (--coarsen-of)、以前のクラスが k 人未満になった人の行を見送る (--wait)",
)


def limit_faults(
    found: Check, joint_k: int | None, certain: float | None, by_verdict: bool
) -> tuple[Fault, ...]:
    """The limits that are broken; with `by_verdict`, only where rows can be linked."""
    faults = []
    linked = found.linked
    least = None if linked is None else linked.k_min
    heeded = len(found.entries) > 1 and (found.is_linked or not by_verdict)
    if heeded and joint_k is not None and least is not None and least < joint_k:
        faults.append(_too_small(found, joint_k))
    if certain is not None:
        faults += _too_certain(found, certain)
    return tuple(faults)


def _too_small(found: Check, k: int) -> Fault:
    linked = found.linked
    assert linked is not None
    message = Text(
        f"{len(found.entries)} releases together: the smallest joint class has a size of "
        f"{linked.k_min}, and {linked.below_people} of {linked.people} people are in one below "
        f"{k}. {NEXT.en}",
        f"{len(found.entries)} 件を合わせると、最小の共通クラスは {linked.k_min} 人で、"
        f"{linked.people} 人中 {linked.below_people} 人が {k} 人未満のクラスに入ります。{NEXT.ja}",
    )
    return Fault(rule="joint-k", message=message)


def _too_certain(found: Check, most: float) -> list[Fault]:
    shares = {}
    if found.linked is not None and found.is_linked:
        shares[Text("linked", "行が結び付く場合")] = found.linked.certain
    if found.unlinked is not None:
        shares[Text("unlinked", "行が結び付かない場合")] = found.unlinked.certain
    return [
        Fault(
            rule="certain",
            message=Text(
                f"a sensitive value is certain for {percent(share)} of the people ({how.en}), "
                f"more than {percent(most)}",
                f"機密属性の値が確定する人が {percent(share)} います ({how.ja})。"
                f"上限は {percent(most)}",
            ),
        )
        for how, share in shares.items()
        if share > most
    ]
