"""Implements `tk.assess`: a release judged once, under one scenario.

assessment = tk.assess(people, release, recipient="partner")
assessment.verdict.word          # "fits", "does-not-fit" or "unknown"
assessment.to_dict()             # the document that `tokumei assess --json` prints
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tokumei.assessment.assess import assess_table
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.open_release import AssessTable
from tokumei.assessment.saved_scenario import find_scenario
from tokumei.core.scenario import Scenario
from tokumei.ledger.services import LedgerLocation

if TYPE_CHECKING:
    import os

    import numpy as np

    from tokumei.api.types import Columns, TableSource
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.hierarchies.hierarchy import Hierarchy


def assess(
    original: TableSource,
    release: Release | Table | ArrowFrame | str | os.PathLike[str],
    *,
    link: np.ndarray | str | os.PathLike[str] | None = None,
    scenario: Scenario | Mapping[str, object] | None = None,
    recipient: str | None = None,
    knows: Columns | None = None,
    person: str | None = None,
    at_once: int | None = None,
    population: int | None = None,
    limits: Mapping[str, float] | None = None,
    keep: Mapping[str, float] | None = None,
    uses: Columns | None = None,
    qi: Columns | None = None,
    sa: Columns | None = None,
    ids: Columns | None = None,
    hierarchies: str | Mapping[str, Hierarchy | str] | None = None,
    remedies: bool = True,
    ledger: str | os.PathLike[str] | None = None,
    ledger_key: str | os.PathLike[str] | None = None,
    control: TableSource | None = None,
) -> Assessment:
    """Judge a release of a table: may it go to this recipient, and what would help if not?

    A Release brings its roles, person column, hierarchies, claims and link; for anything else give
    them. `recipient` is "public", "partner" or "inside"; `knows` the columns that the recipient
    may know (`"date~30d"`: within 30 days). A `scenario` stands for all of these at once; without
    any, the one saved beside the file or told by the release holds. `ledger` adds what earlier
    releases tell together with this one, `control` (people who are not in the data) an audit.
    """
    if isinstance(scenario, Mapping):
        scenario = Scenario.from_dict(scenario)
    if scenario is None:
        scenario = find_scenario(original, release).changed(  # type: ignore[arg-type]
            recipient=recipient,
            knows=_names(knows),
            limits=limits,
            person=person,
            at_once=at_once,
            population=population,
            knows_membership=None if population is None else "journalist",
            keep=keep,
            uses=_names(uses),
        )
    location = None
    if ledger is not None:
        key = None if ledger_key is None else str(ledger_key)
        location = LedgerLocation(folder=str(ledger), key_file=key)
    return assess_table(
        AssessTable(
            original=original,  # type: ignore[arg-type]
            release=release,  # type: ignore[arg-type]
            link=link,  # type: ignore[arg-type]
            scenario=scenario,
            qi=_names(qi),
            sa=_names(sa),
            ids=_names(ids),
            hierarchies=hierarchies,
            remedies=remedies,
            ledger=location,
            control=control,  # type: ignore[arg-type]
        )
    )


def _names(columns: Columns | None) -> tuple[str, ...] | None:
    if columns is None:
        return None
    return (columns,) if isinstance(columns, str) else tuple(columns)
