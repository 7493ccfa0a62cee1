"""Everything there is to know about one release: claims, measures, attacks, exposure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tokumei.core.claims import CheckedClaim, checked
from tokumei.core.errors import Fault
from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.rates import AttackRate
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.release import Release
from tokumei.tables.data.table import Table
from tokumei.tables.risk.exposure import Exposed, most_exposed
from tokumei.tables.suite import Strongest, attack_suite, measure_suite, strongest
from tokumei.tables.verify.claims import check_claims


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
    case = Comparison.of(original, release, cross=cross)
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
