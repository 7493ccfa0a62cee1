"""Many faults, some at a time.

fault_page(entry.faults, rule="row-count", text="column 3", page=2).shown
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.contest.desk.entry_views import FaultView

PER_PAGE = 50


@dataclass(frozen=True)
class FaultPage:
    """The faults that were asked for, `shown` of `found`."""

    shown: Sequence[FaultView]
    found: int
    rules: Sequence[tuple[str, int]]
    """Every rule and how often it was broken, the most often first."""
    rule: str
    text: str
    page: int
    pages: int


def fault_page(
    faults: Sequence[FaultView], *, rule: str = "", text: str = "", page: int = 1
) -> FaultPage:
    """One page of the faults of a rule that have a text in them, in the language in force."""
    wanted = text.casefold()
    found = [fault for fault in faults if rule in ("", fault.rule) and wanted in _written(fault)]
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(max(1, page), pages)
    return FaultPage(
        shown=found[(page - 1) * PER_PAGE : page * PER_PAGE],
        found=len(found),
        rules=Counter(fault.rule for fault in faults).most_common(),
        rule=rule,
        text=text,
        page=page,
        pages=pages,
    )


def _written(fault: FaultView) -> str:
    return f"{fault.line or ''} {fault.column or ''} {fault.message.show()}".casefold()
