"""Attacks a release of a table, and scores the attacks by the link, if that can be true."""

from __future__ import annotations

from dataclasses import dataclass, field

from tokumei.core.attack_rates import AttackRate
from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.evaluation_suite import (
    EXACT,
    StrongestAttack,
    attack_suite,
    find_strongest_attack,
)
from tokumei.tables.registry import resolve_attack_names
from tokumei.tables.services.comparison_requests import EVERYTHING, AttackTableRequest
from tokumei.tables.services.open_comparison import OpenComparison, open_comparison


@dataclass(frozen=True, eq=False)
class AttackedTable:
    """The rate of every attack, the strongest, and remarks on how the files were read.

    `known` is what somebody finds who knows only the columns named in the request.
    """

    rates: dict[str, AttackRate]
    strongest: StrongestAttack
    known: AttackRate | None
    notes: list[Message]
    case: Comparison = field(repr=False)


def attack_table(request: AttackTableRequest) -> AttackedTable:
    """Compare original and release, and run the attacks."""
    return attack_comparison(open_comparison(request.comparison), request)


def attack_comparison(opened: OpenComparison, request: AttackTableRequest) -> AttackedTable:
    """Run the attacks of a request on a comparison that is open already."""
    case = opened.case
    if not opened.linked:
        require_row_order(case)
    names = resolve_attack_names(request.methods)
    if request.known is not None and EVERYTHING not in names:
        names.append(EVERYTHING)
    how = {"as_is": request.as_is, "expected": request.expected}
    rng = EXACT if request.expected else Randomness(request.seed).child(*request.stream)
    rates = attack_suite(case, names, rng=rng, params=request.params, **how)
    known = None
    if request.known is not None:
        narrow = {EVERYTHING: {"known": request.known}}
        known = attack_suite(case, [EVERYTHING], rng=rng, params=narrow, **how)[EVERYTHING]
    return AttackedTable(rates, find_strongest_attack(rates), known, opened.notes, case)


def require_row_order(case: Comparison) -> None:
    """Fail unless released row i can come from original row i, which holds where no link is given.

    A rate counted against a wrong link says nothing: it is near 0 even where everybody is found.
    """
    reason = find_row_order_evidence(case)
    if reason is not None:
        raise UsageError(
            "no rate can be computed without the link: {reason}, so the released rows are not in "
            "the original's order; give the link that was written with the release ({option})",
            field="truth",
            reason=reason,
            option=field_name("truth"),
        )


def find_row_order_evidence(case: Comparison) -> Message | None:
    """What shows that released row i does not come from original row i; None: nothing does."""
    from tokumei.tables.diagnosis.column_and_link_evidence import compare_qi_columns, link_evidence

    released, original = case.released.rows, case.original.rows
    if released != original:
        return Message(
            "the release has {released:,} rows and the original {original:,}",
            released=released,
            original=original,
        )
    evidence = link_evidence(case, compare_qi_columns(case))[0]
    return evidence[0].text if evidence else None
