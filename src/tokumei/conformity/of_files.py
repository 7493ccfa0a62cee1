"""From the files of a release to its findings, whatever kind of data it is.

found = conformity_of(CaseFiles("table", "x.csv", "y.csv", truth="link.csv"), seed=0)

Draws are seeded, so two runs agree.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from tokumei.conformity.conform import Conformity, conform
from tokumei.core.conformity import CaseFiles, ConformityCase, Dossier
from tokumei.core.errors import UnknownNameError
from tokumei.core.lazy import load
from tokumei.core.text import Text
from tokumei.files.containers import sha256
from tokumei.kinds import all_kinds
from tokumei.series import unicity

POINTS = (1, 2, 3, 4)


def conformity_formats() -> dict[str, str]:
    """The formats of which there are reports, sorted, and where kinds say what they need."""
    found: dict[str, str] = {}
    for kind in all_kinds():
        found = {**kind.conformity, **found}
    return dict(sorted(found.items()))


def conformity_of(files: CaseFiles, *, seed: int = 0) -> Conformity:
    """All findings on a release in files."""
    homes = conformity_formats()
    if files.format not in homes:
        raise UnknownNameError(Text("format", "形式"), files.format, homes, where="--format")
    make: Callable[..., Dossier] = load(homes[files.format])
    found = make(files, seed=seed)
    return conform(
        found.case,
        unicity=unicity_shares(found.case, seed=seed),
        attacks=found.attacks,
        customer_columns=found.customer_columns,
        sha256=None if found.handed_out is None else sha256(found.handed_out),
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
    found = unicity(frame, ["item,day"], points=POINTS, seed=seed)
    return {one.points: one.share for one in found}
