"""The claims of a release of purchases, recomputed from its public rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from tokumei.assessment.verdict import CheckedClaimLine
from tokumei.core.claims import check_claims
from tokumei.core.errors import TokumeiError
from tokumei.core.provenance import Claim
from tokumei.core.registry import Registry


def claims_of_manifest(manifest: Mapping[str, Any]) -> tuple[Claim, ...]:
    """What the manifest beside a public file claims."""
    return tuple(
        Claim(entry["rule"], entry["params"])
        for entry in manifest.get("claims", [])
        if isinstance(entry, dict) and {"rule", "params"} <= entry.keys()
    )


def check_public_claims(
    rules: Registry[Any], public: pl.DataFrame, claims: Iterable[Claim]
) -> list[CheckedClaimLine]:
    """Every claim and whether it holds; None: it cannot be checked here."""
    lines = list[CheckedClaimLine]()
    for claim in claims:
        try:
            (checked,) = check_claims(rules, public, [claim])
            holds: bool | None = not checked.faults
        except TokumeiError:
            holds = None
        lines.append(CheckedClaimLine(claim.rule, holds, dict(claim.params)))
    return lines
