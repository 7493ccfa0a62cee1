"""Joint figures with the earlier releases of a ledger: what all of them tell together.

joint = measure_joint(opened, LedgerLocation(folder="ledger"), release="y.csv")
joint.smallest_class, joint.is_linked
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.assessment.opened_release import OpenedRelease
from tokumei.core.errors import InputError
from tokumei.core.fields import field_name
from tokumei.files.file_formats import sha256_of_file
from tokumei.ledger.joint_risk import Check
from tokumei.ledger.services import (
    CheckLedgerRequest,
    LedgerLocation,
    ReleaseContent,
    check_releases,
)
from tokumei.tables.ledger.contribution import table_contribution

IN_MEMORY = "release.csv"
"""What the ledger calls a release that is in no file."""


@dataclass(frozen=True, kw_only=True)
class JointFigures:
    """What this release and earlier ones tell together of the people who are in all of them.

    `is_linked`: rows of one person can be told in two of the releases; only then do the smallest
    class and the people alone in theirs decide.
    """

    earlier: tuple[str, ...]
    people: int
    smallest_class: int | None
    alone: int
    is_linked: bool

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {**vars(self), "earlier": list(self.earlier)}


@dataclass(frozen=True)
class _OpenedToRecord:
    """A release that is open already, as the ledger reads releases."""

    opened: OpenedRelease
    release: str

    def read(self) -> ReleaseContent:
        """What the release says of each person."""
        opened = self.opened
        schema = opened.original.schema
        names = {*opened.released.schema.names}
        contribution = table_contribution(
            opened.original.frame,
            opened.released.frame,
            link=opened.link,
            ids=_person_ids(opened),
            qi=[name for name in schema.qi if name in names],
            sa=[name for name in schema.sa if name in names],
            hierarchies=dict(opened.hierarchies),
        )
        return ReleaseContent(contribution)


def measure_joint(
    opened: OpenedRelease,
    location: LedgerLocation,
    *,
    release: str | None = None,
    coalition: tuple[str, ...] = (),
) -> JointFigures | None:
    """The joint figures with what a ledger recorded; None where there is no earlier release.

    A release whose very file is recorded already is not counted twice. `coalition`: whose releases
    are put together; all of them if nobody is named.
    """
    ledger = location.open()
    recorded = [entry for entry in ledger.entries if not coalition or entry.recipient in coalition]
    digest = sha256_of_file(release) if release is not None and Path(release).is_file() else None
    own = [entry.name for entry in ledger.entries if entry.sha256 == digest]
    earlier = tuple(entry.name for entry in recorded if entry.name not in own)
    if not earlier:
        return None
    request = CheckLedgerRequest(
        ledger=location,
        coalition=coalition,
        planned=None if own else _OpenedToRecord(opened, release or IN_MEMORY),
        recipient=coalition[0] if coalition else None,
    )
    return _summarize(check_releases(request).check, earlier)


def _summarize(check: Check, earlier: tuple[str, ...]) -> JointFigures:
    """The figures of all releases together, or of the worst two where fewer people share those."""
    linked, worst = check.linked, check.worst
    smallest = [risk.k_min for risk in (linked, worst) if risk is not None and risk.k_min]
    alone = [round(risk.unique * risk.people) for risk in (linked, worst) if risk is not None]
    return JointFigures(
        earlier=earlier,
        people=0 if linked is None else linked.people,
        smallest_class=min(smallest, default=None),
        alone=max(alone, default=0),
        is_linked=check.is_linked,
    )


def _person_ids(opened: OpenedRelease) -> pl.Series:
    """The name of the person of every original row, as the ledger knows people."""
    if opened.counts_people:
        return opened.original.frame[str(opened.person)]
    names = sorted(name for name in opened.identifiers if name in opened.original.schema.names)
    if len(names) == 1:
        return opened.original.frame[names[0]]
    if not names:
        return pl.Series("row", np.arange(opened.original.rows))
    raise InputError(
        "name the person column ({person}): the ledger knows people by it",
        person=field_name("person"),
        field="person",
    )
