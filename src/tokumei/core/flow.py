"""The one flow: anonymize → verify once → save; attack; measure. Written once for every kind.

    release = make_release(kind, source, "rank-match", seed=1, k=6)

What differs between kinds stands in the module `flow` of each kind's folder.
"""

from __future__ import annotations

from typing import Any

from tokumei.core.kind import Kind, Release
from tokumei.core.proof import prove
from tokumei.core.randomness import Seed


def make_release(
    kind: Kind,
    source: Any,
    method: Any,
    *,
    seed: Seed = None,
    sha256: str | None = None,
    **options: Any,
) -> Any:
    """A verified release, by a method's name (its parameters are among the options) or object."""
    release = kind.flow.anonymize(source, method, seed=seed, sha256=sha256, **options)
    require_proven(kind, release)
    return release


def require_proven(kind: Kind, release: Release) -> None:
    """Fail unless every claim of the release holds, recomputed from what will be published."""
    prove(release, lambda: kind.flow.faults(release))
