"""All checks on one release, and what may be said of them in public.

    found = conform(case, unicity=shares, attacks=figures)
    found.counts, found.as_json(), found.manifest()

The result holds counts, places and column names, never a value of a cell. Nothing in it depends on
time or place: two runs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei._version import __version__
from tokumei.conformity.clauses import CLAUSES, DISCLAIMER
from tokumei.conformity.declared import birth_dates, declared_identifiers
from tokumei.conformity.difference import (
    attack_findings,
    customers_k,
    lifetime,
    person_k,
    unicity_finding,
)
from tokumei.conformity.finding import Finding, Verdict
from tokumei.conformity.lasting import lasting_codes
from tokumei.conformity.linking import (
    derived_pseudonyms,
    invoice_numbers,
    original_ids,
    reused_pseudonyms,
)
from tokumei.conformity.order import copied_characters, pseudonym_order, row_order
from tokumei.conformity.scan import scan
from tokumei.conformity.singular import (
    extreme_prices,
    extreme_quantities,
    extreme_spenders,
    rare_values,
    single_items,
    tails,
)
from tokumei.core.conformity import AttackFigure, ConformityCase
from tokumei.core.progress import track
from tokumei.core.text import Text

CHECKS = (
    declared_identifiers,
    birth_dates,
    original_ids,
    derived_pseudonyms,
    pseudonym_order,
    copied_characters,
    lasting_codes,
    reused_pseudonyms,
    invoice_numbers,
    row_order,
    single_items,
    extreme_prices,
    extreme_quantities,
    extreme_spenders,
    tails,
    rare_values,
    person_k,
    lifetime,
)


@dataclass(frozen=True)
class Conformity:
    """The findings, by the item of the rule they serve."""

    findings: tuple[Finding, ...]
    rows: int
    sha256: str | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many checks ended how."""
        return {
            verdict.value: sum(found.verdict is verdict for found in self.findings)
            for verdict in Verdict
        }

    @property
    def failed(self) -> bool:
        """Whether a check failed."""
        return any(found.verdict is Verdict.FAIL for found in self.findings)

    def of_item(self, item: int) -> list[Finding]:
        """The findings that serve one item, defects first."""
        order = (Verdict.FAIL, Verdict.HUMAN, Verdict.PASS)
        served = [found for found in self.findings if found.item == item]
        return sorted(served, key=lambda found: order.index(found.verdict))

    def as_json(self) -> dict[str, Any]:
        """Everything, in both languages."""
        return {
            **self.manifest(),
            "note_en": DISCLAIMER.en,
            "note_ja": DISCLAIMER.ja,
            "checks": [found.as_json() for found in self.findings],
        }

    def manifest(self) -> dict[str, Any]:
        """What may be published beside a release: checks and verdicts."""
        return {
            "tokumei": __version__,
            "rows": self.rows,
            "release_sha256": self.sha256,
            "counts": self.counts,
            "verdicts": {found.id: found.verdict.value for found in self.findings},
        }


def conform(
    case: ConformityCase,
    *,
    unicity: Mapping[int, float] | None = None,
    attacks: Sequence[AttackFigure] = (),
    customer_columns: Sequence[str] = (),
    sha256: str | None = None,
) -> Conformity:
    """Run every check; `unicity` (points → share) and `attacks` are figures measured before."""
    findings = list(scan(case))
    findings += [check(case) for check in track(list(CHECKS), Text("checks", "検査"))]
    if unicity is not None:
        findings.append(unicity_finding(case, unicity))
    findings += attack_findings(case, attacks)
    if case.customers is not None and customer_columns:
        findings.append(customers_k(case.customers, customer_columns, limit=case.limits.k))
    ordered = [found for item in CLAUSES for found in findings if found.item == item]
    return Conformity(tuple(ordered), case.release.height, sha256)
