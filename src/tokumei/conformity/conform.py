"""All checks on one release, and what may be said of them in public.

    found = conform(case, unicity=shares, attacks=figures)
    found.counts, found.as_json(), found.manifest()
    conformity_of(CaseFiles("table", "x.csv", "y.csv", truth="link.csv"), seed=0)

The result holds counts, places and column names, never a value of a cell. Nothing in it depends on
time or place: two runs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tokumei._version import __version__
from tokumei.conformity.difference import (
    attack_finding,
    audit_findings,
    customers_k,
    lifetime,
    person_k,
    read_audit,
    unicity_finding,
)
from tokumei.conformity.finding import CLAUSES, DISCLAIMER, Finding, Verdict
from tokumei.conformity.lasting import lasting_codes
from tokumei.conformity.linking import (
    derived_pseudonyms,
    invoice_numbers,
    original_ids,
    reused_pseudonyms,
)
from tokumei.conformity.looks import look_findings
from tokumei.conformity.order import copied_characters, pseudonym_order, row_order
from tokumei.conformity.scan import declared_identifiers, scan
from tokumei.conformity.singular import (
    effect_finding,
    extreme_prices,
    extreme_quantities,
    extreme_spenders,
    missing_finding,
    rare_values,
    single_items,
    tails,
)
from tokumei.core.conformity import (
    AttackFigure,
    CaseFiles,
    ConformityCase,
    MissingCells,
    SingularEffect,
)
from tokumei.core.errors import UnknownNameError
from tokumei.core.kind import MakeDossier
from tokumei.core.lazy import LazyObject
from tokumei.core.progress import track
from tokumei.core.text import Text
from tokumei.files.containers import sha256
from tokumei.kernels.unicity.unicity import unicity
from tokumei.kinds import all_kinds, purchases_of

CHECKS = (
    declared_identifiers,
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
POINTS = (1, 2, 3, 4)


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

    @property
    def looked(self) -> int:
        """How many checks had something to look at."""
        return sum(found.verdict is not Verdict.NOTHING for found in self.findings)

    def of_item(self, item: int) -> list[Finding]:
        """The findings that serve one item, defects first."""
        order = (Verdict.FAIL, Verdict.HUMAN, Verdict.PASS, Verdict.NOTHING)
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
            "looked_at_something": self.looked,
            "verdicts": {found.id: found.verdict.value for found in self.findings},
        }


def conform(
    case: ConformityCase,
    *,
    unicity: Mapping[int, float] | None = None,
    attacks: Sequence[AttackFigure] = (),
    customer_columns: Sequence[str] = (),
    sha256: str | None = None,
    audit: Mapping[str, Any] | None = None,
    effects: Sequence[SingularEffect] = (),
    missing: Sequence[MissingCells] = (),
) -> Conformity:
    """Run every check; `unicity` (points → share) and `attacks` are figures measured before.

    `audit` is what `tk.audit(…).as_json()` gave: its findings are cited.
    """
    findings = [*scan(case), *look_findings(case)]
    findings += [check(case) for check in track(list(CHECKS), Text("checks", "検査"))]
    if unicity is not None:
        findings.append(unicity_finding(case, unicity))
    findings += [attack_finding(case, place, one) for place, one in enumerate(attacks)]
    findings += [effect_finding(one) for one in effects]
    findings += [missing_finding(one, case.limits.k) for one in missing]
    findings += [] if audit is None else audit_findings(audit)
    if case.customers is not None and customer_columns:
        findings.append(customers_k(case.customers, customer_columns, limit=case.limits.k))
    ordered = [found for item in CLAUSES for found in findings if found.item == item]
    return Conformity(tuple(ordered), case.release.height, sha256)


def conformity_formats() -> dict[str, LazyObject[MakeDossier]]:
    """The formats of which there are reports, sorted, and what reads their files."""
    found: dict[str, LazyObject[MakeDossier]] = {}
    for kind in all_kinds():
        found = {**kind.conformity, **found}
    return dict(sorted(found.items()))


def conformity_of(files: CaseFiles, *, seed: int = 0, audit: str | None = None) -> Conformity:
    """All findings on a release in files; `audit` is the JSON file of an audit."""
    formats = conformity_formats()
    if files.format not in formats:
        raise UnknownNameError(Text("format", "形式"), files.format, formats, where="--format")
    found = formats[files.format].load()(files, seed=seed)
    return conform(
        found.case,
        unicity=unicity_shares(found.case, seed=seed),
        attacks=found.attacks,
        customer_columns=found.customer_columns,
        sha256=None if found.handed_out is None else sha256(found.handed_out),
        audit=None if audit is None else read_audit(audit),
        effects=found.effects,
        missing=found.missing,
    )


def unicity_shares(case: ConformityCase, *, seed: int = 0) -> dict[int, float] | None:
    """The share of pseudonyms singled out by p released points (item and day).

    None where days or items are generalized: points are then no longer exact.
    """
    names = (case.roles.pseudonym, case.roles.day, case.roles.item)
    if any(name is None for name in names):
        return None
    pseudonym, day, item = (case.release[str(name)].cast(pl.String) for name in names)
    if day.str.contains(r"[*\[{]").any() or item.str.contains(r"[*\[{]").any():
        return None
    points = {"customer": pseudonym, "day": day, "item": item}
    frame = pl.DataFrame(points).with_columns(price=pl.lit(1), quantity=pl.lit(1))
    purchases = purchases_of(frame)
    found = unicity(purchases, ["item,day"], points=POINTS, seed=seed)
    return {one.points: one.share for one in found}
