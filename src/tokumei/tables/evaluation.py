"""Looking at a released table: everything there is to know, how it was made, what it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.core.claims import CheckedClaim, checked
from tokumei.core.errors import Fault, UsageError
from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.rates import AttackRate
from tokumei.core.release import Claim
from tokumei.tables.comparing import compare
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import AnyRelease, AnyTable, Release, Table
from tokumei.tables.diagnosis.diagnose import Diagnosis
from tokumei.tables.diagnosis.diagnose import diagnose as _diagnose
from tokumei.tables.diagnosis.symbols import Thresholds
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.risk.exposure import Exposed, most_exposed
from tokumei.tables.suite import Strongest, attack_suite, measure_suite, strongest
from tokumei.tables.verify.claims import check_claims, claim_faults


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One release, measured. `case` holds the secret link and is never rendered."""

    label: str
    release: Release
    case: Comparison = field(repr=False)
    checks: list[CheckedClaim]
    scores: dict[str, Score]
    attacks: dict[str, AttackRate]
    strongest: Strongest
    exposed: list[Exposed]

    @property
    def faults(self) -> list[Fault]:
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
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> Evaluation:
    """Verify (unless that was done when it was made), measure and attack a release."""
    case = compare(original, release, cross=cross)
    rates = attack_suite(case, attacks, rng=rng, params=params)
    return Evaluation(
        label=label,
        release=release,
        case=case,
        checks=checked(release, lambda: check_claims(release.public, release.claims)),
        scores=measure_suite(case, measures, params=params),
        attacks=rates,
        strongest=strongest(rates),
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
    case = compare(original, release, link=link, qi=qi, sa=sa, cross=cross, hierarchies=hierarchies)
    claimed = link is not None or isinstance(release, Release)
    return _diagnose(case, rng=Randomness(seed), limits=Thresholds(harm, times), claimed=claimed)


def check(
    release: AnyRelease,
    *,
    qi: str | Sequence[str],
    k: int | None = None,
    l: int | None = None,  # noqa: E741  the literature's name
    sa: str | Sequence[str] = (),
) -> list[Fault]:
    """Violations of k-anonymity and l-diversity in any frame, whoever made it."""
    claims, columns = [], [qi] if isinstance(qi, str) else list(qi)
    if k is not None:
        claims.append(Claim("k-anonymity", {"k": k, "columns": columns}))
    if l is not None:
        sensitive = [sa] if isinstance(sa, str) else list(sa)
        claims.append(Claim("l-diversity", {"l": l, "columns": columns, "sensitive": sensitive}))
    if not claims:
        raise UsageError("give k, l or both", "k か l を指定してください")
    public = release.public if isinstance(release, Release) else Table.of(release)
    return claim_faults(public, claims)
