"""Evaluates a released table: `tk.check`, `tk.diagnose`, attacks and measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tokumei.core.attack_rates import AttackRate
from tokumei.core.claims import CheckedClaim
from tokumei.core.errors import UsageError, Violation
from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.verification import check_unverified
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import AnyRelease, AnyTable, Release, Table
from tokumei.tables.diagnosis.diagnose import Diagnosis
from tokumei.tables.diagnosis.effect_symbols import Thresholds
from tokumei.tables.evaluation_suite import (
    EXACT,
    StrongestAttack,
    attack_suite,
    find_strongest_attack,
    measure_suite,
)
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.risk.exposure import ExposedRow, most_exposed
from tokumei.tables.services.check import CheckTableRequest, build_claims
from tokumei.tables.services.comparison_requests import ComparisonRequest, DiagnoseTableRequest
from tokumei.tables.services.diagnose import diagnose_table
from tokumei.tables.services.open_comparison import open_comparison
from tokumei.tables.services.requests import column_names
from tokumei.tables.verification.claims import check_claims, claim_violations


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One release, measured. `case` holds the secret link and is never rendered."""

    label: str
    release: Release
    case: Comparison = field(repr=False)
    checks: list[CheckedClaim]
    scores: dict[str, Score]
    attacks: dict[str, AttackRate]
    strongest: StrongestAttack
    exposed: list[ExposedRow]

    @property
    def faults(self) -> list[Violation]:
        """All violations of the release's claims."""
        return [fault for checked in self.checks for fault in checked.faults]


def evaluate(
    original: Table,
    release: Release,
    *,
    label: str,
    rng: Randomness,
    cross: Sequence[str] = (),
    attacks: Sequence[str] = (),
    measures: Sequence[str] = (),
    params: Mapping[str, Mapping[str, object]] | None = None,
    expected: bool = False,
) -> Evaluation:
    """Verify (unless that was done when it was made), measure and attack a release.

    `expected` gives exact rates of attacks instead of one draw.
    """
    opened = open_comparison(
        ComparisonRequest(original=original, release=release, cross=tuple(cross))
    )
    case = opened.case
    chance = EXACT if expected else rng
    rates = attack_suite(case, attacks, rng=chance, params=params, expected=expected)
    return Evaluation(
        label=label,
        release=release,
        case=case,
        checks=check_unverified(release, lambda: check_claims(release.public, release.claims)),
        scores=measure_suite(case, measures, params=params),
        attacks=rates,
        strongest=find_strongest_attack(rates),
        exposed=most_exposed(case),
    )


def diagnose(
    original: AnyTable,
    release: AnyRelease,
    *,
    link: np.ndarray | None = None,
    qi: str | Sequence[str] | None = None,
    sa: str | Sequence[str] | None = None,
    cross: Sequence[str] = (),
    hierarchies: str | Mapping[str, Hierarchy | str] | None = None,
    harm: float = Thresholds.harm,
    times: float = Thresholds.times,
    seed: int | None = None,
) -> Diagnosis:
    """Which methods made the release, and the evidence; thresholds of the symbols as given."""
    compared = ComparisonRequest(
        original=original,
        release=release,
        link=link,
        qi=column_names(qi),
        sa=column_names(sa),
        cross=tuple(cross),
        hierarchies=hierarchies,
    )
    request = DiagnoseTableRequest(comparison=compared, harm=harm, times=times, seed=seed)
    return diagnose_table(request).diagnosis


def check(
    release: AnyRelease,
    *,
    qi: str | Sequence[str],
    k: int | None = None,
    l: int | None = None,  # noqa: E741  the literature's name
    sa: str | Sequence[str] = (),
) -> list[Violation]:
    """Violations of k-anonymity and l-diversity in any frame, whoever made it."""
    if k is None and l is None:
        raise UsageError("give k, l or both")
    models = () if l is None else (f"l={l}",)
    columns, sensitive = column_names(qi) or (), column_names(sa) or ()
    request = CheckTableRequest(release="", qi=columns, sa=sensitive, k=k, models=models)
    public = release.public if isinstance(release, Release) else Table.of(release)
    return claim_violations(public, build_claims(request))
