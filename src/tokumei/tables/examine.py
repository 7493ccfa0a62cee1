"""Looking at a released table, whoever made it: what it keeps, and how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.core.errors import Fault, UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.tables.data.comparison import compare
from tokumei.tables.data.table import Table
from tokumei.tables.diagnosis.diagnose import Diagnosis
from tokumei.tables.diagnosis.diagnose import diagnose as _diagnose
from tokumei.tables.diagnosis.symbols import Thresholds
from tokumei.tables.verify.claims import claim_faults


def diagnose(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    cross: Sequence[str] = (),
    harm: float = Thresholds.harm,
    times: float = Thresholds.times,
    seed: int | None = None,
) -> Diagnosis:
    """Which methods made the release, and the evidence; thresholds of the symbols as given."""
    case = compare(original, release, link=link, qi=qi, sa=sa, cross=cross)
    return _diagnose(case, rng=Randomness(seed), limits=Thresholds(harm, times))


def check(
    release: Any,
    *,
    qi: Sequence[str],
    k: int | None = None,
    l: int | None = None,  # noqa: E741  the literature's name
    sa: Sequence[str] = (),
) -> list[Fault]:
    """Violations of k-anonymity and l-diversity in any frame, whoever made it."""
    claims = []
    if k is not None:
        claims.append(Claim("k-anonymity", {"k": k, "columns": list(qi)}))
    if l is not None:
        claims.append(Claim("l-diversity", {"l": l, "columns": list(qi), "sensitive": list(sa)}))
    if not claims:
        raise UsageError("give k, l or both", "k か l を指定してください")
    return claim_faults(Table.of(release), claims)
