"""Runs all checks on one release, and says what may be stated in public.

    report = conform(case, unicity=shares, attacks=figures)
    report.counts, report.as_json(), report.manifest()
    assess_files(CaseFiles("table", "x.csv", "y.csv", truth="link.csv"), seed=0)

The result holds counts, places and column names, never a value of a cell. Nothing in it depends on
time or place: two runs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tokumei._version import __version__
from tokumei.conformity.column_checks import check_profiled_columns
from tokumei.conformity.finding import CLAUSES, DISCLAIMER, Finding, Verdict
from tokumei.conformity.identifier_scan import check_declared_identifiers, scan_identifiers
from tokumei.conformity.linking_codes import (
    check_derived_pseudonyms,
    check_invoice_numbers,
    check_original_ids,
    check_reused_pseudonyms,
)
from tokumei.conformity.order_checks import (
    check_copied_characters,
    check_pseudonym_order,
    check_row_order,
)
from tokumei.conformity.pseudonym_linkage import check_codes_linking_pseudonyms
from tokumei.conformity.rare_records import (
    check_extreme_prices,
    check_extreme_quantities,
    check_extreme_spenders,
    check_rare_values,
    check_single_items,
    check_stated_tails,
    missing_cells_finding,
    singular_effect_finding,
)
from tokumei.conformity.reidentification_risk import (
    attack_finding,
    audit_findings,
    check_customers_k,
    check_person_k,
    check_pseudonym_lifetime,
    read_audit,
    unicity_finding,
)
from tokumei.core.conformity_case import (
    AttackFigure,
    CaseFiles,
    ConformityCase,
    MissingCells,
    SingularEffect,
)
from tokumei.core.data_kind import MakeDossier
from tokumei.core.errors import UnknownNameError
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.files.file_formats import sha256_of_file
from tokumei.kernels.unicity.unicity import unicity
from tokumei.kinds import all_kinds, purchases_of

CASE_CHECKS = (
    check_declared_identifiers,
    check_original_ids,
    check_derived_pseudonyms,
    check_pseudonym_order,
    check_copied_characters,
    check_codes_linking_pseudonyms,
    check_reused_pseudonyms,
    check_invoice_numbers,
    check_row_order,
    check_single_items,
    check_extreme_prices,
    check_extreme_quantities,
    check_extreme_spenders,
    check_stated_tails,
    check_rare_values,
    check_person_k,
    check_pseudonym_lifetime,
)
UNICITY_POINTS = (1, 2, 3, 4)


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
            verdict.value: sum(finding.verdict is verdict for finding in self.findings)
            for verdict in Verdict
        }

    @property
    def failed(self) -> bool:
        """Whether a check failed."""
        return any(finding.verdict is Verdict.FAIL for finding in self.findings)

    @property
    def examined_count(self) -> int:
        """How many checks had something to look at."""
        return sum(finding.verdict is not Verdict.NOTHING for finding in self.findings)

    def of_item(self, item: int) -> list[Finding]:
        """The findings that serve one item, defects first."""
        order = (Verdict.FAIL, Verdict.HUMAN, Verdict.PASS, Verdict.NOTHING)
        item_findings = [finding for finding in self.findings if finding.item == item]
        return sorted(item_findings, key=lambda finding: order.index(finding.verdict))

    def as_json(self) -> dict[str, object]:
        """Everything, in every language."""
        return {
            **self.manifest(),
            **DISCLAIMER.as_json("note"),
            "checks": [finding.as_json() for finding in self.findings],
        }

    def manifest(self) -> dict[str, object]:
        """The part that may be published beside a release: checks and verdicts."""
        return {
            "tokumei": __version__,
            "rows": self.rows,
            "release_sha256": self.sha256,
            "counts": self.counts,
            "looked_at_something": self.examined_count,
            "verdicts": {finding.id: finding.verdict.value for finding in self.findings},
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
    findings = [*scan_identifiers(case), *check_profiled_columns(case)]
    findings += [check(case) for check in track_progress(list(CASE_CHECKS), Message("checks"))]
    if unicity is not None:
        findings.append(unicity_finding(case, unicity))
    findings += [attack_finding(case, number, figure) for number, figure in enumerate(attacks)]
    findings += [singular_effect_finding(figure) for figure in effects]
    findings += [missing_cells_finding(figure, case.limits.k) for figure in missing]
    findings += [] if audit is None else audit_findings(audit)
    if case.customers is not None and customer_columns:
        findings.append(check_customers_k(case.customers, customer_columns, limit=case.limits.k))
    ordered = [finding for item in CLAUSES for finding in findings if finding.item == item]
    return Conformity(tuple(ordered), case.release.height, sha256)


def conformity_builders() -> dict[str, LazyObject[MakeDossier]]:
    """The formats of which there are reports, sorted, and what reads their files."""
    builders: dict[str, LazyObject[MakeDossier]] = {}
    for kind in all_kinds():
        builders = {**kind.conformity, **builders}
    return dict(sorted(builders.items()))


def assess_files(files: CaseFiles, *, seed: int = 0, audit: str | None = None) -> Conformity:
    """All findings on a release in files; `audit` is the JSON file of an audit."""
    formats = conformity_builders()
    if files.format not in formats:
        raise UnknownNameError(Message("format"), files.format, formats, where="--format")
    dossier = formats[files.format].load()(files, seed=seed)
    return conform(
        dossier.case,
        unicity=measure_unicity(dossier.case, seed=seed),
        attacks=dossier.attacks,
        customer_columns=dossier.customer_columns,
        sha256=None if dossier.handed_out is None else sha256_of_file(dossier.handed_out),
        audit=None if audit is None else read_audit(audit),
        effects=dossier.effects,
        missing=dossier.missing,
    )


def measure_unicity(case: ConformityCase, *, seed: int = 0) -> dict[int, float] | None:
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
    unicities = unicity(purchases, ["item,day"], points=UNICITY_POINTS, seed=seed)
    return {unicity_at.points: unicity_at.share for unicity_at in unicities}
