"""Implements `tk.assess`: a release judged once, under one scenario.

assessment = tk.assess(people, release, recipient="partner")
assessment.verdict.word          # "fits", "does-not-fit" or "unknown"
assessment.to_dict()             # the document that `tokumei assess --json` prints
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tokumei.assessment.assess_release import assess_release
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.saved_scenario import find_scenario
from tokumei.core.scenario import Scenario
from tokumei.ledger.services import LedgerLocation

if TYPE_CHECKING:
    import os

    import numpy as np

    from tokumei.api.types import Columns, OtherData, TableSource
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.pseudonyms.data.period_history import PeriodHistory
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease, PseudonymTable
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.hierarchies.hierarchy import Hierarchy


def assess(
    original: TableSource | History | PeriodHistory | OtherData,
    release: Release
    | Table
    | HistoryRelease
    | PeriodRelease
    | ArrowFrame
    | str
    | os.PathLike[str]
    | OtherData,
    *,
    link: np.ndarray | ArrowFrame | PseudonymTable | str | os.PathLike[str] | None = None,
    scenario: Scenario | Mapping[str, object] | None = None,
    recipient: str | None = None,
    knows: Columns | None = None,
    purchases: Columns | None = None,
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
    """Judge a release: may it go to this recipient, and what would help if not?

    A Release brings its roles, person column, hierarchies, claims and link; for anything else give
    them. `recipient` is "public", "partner" or "inside"; `knows` the columns that the recipient
    may know (`"date~30d"`: within 30 days). A `scenario` stands for all of these at once; without
    any, the one saved beside the file or told by the release holds. `ledger` adds what earlier
    releases tell together with this one, `control` (people who are not in the data) an audit.

    Of a purchase history or pseudonyms over time, the link of a mere file is its secret one, and
    `purchases` says which purchases of a person the recipient may know: "3", "month", "all",
    "totals" or "earlier".
    """
    if isinstance(scenario, Mapping):
        scenario = Scenario.from_dict(scenario)
    if scenario is None:
        scenario = find_scenario(original, release).changed(  # type: ignore[arg-type]
            recipient=recipient,
            knows=_names(knows),
            purchases=_names(purchases),
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
    return assess_release(
        original,
        release,
        link=link,
        scenario=scenario,
        remedies=remedies,
        conformity=True,
        qi=_names(qi),
        sa=_names(sa),
        ids=_names(ids),
        hierarchies=hierarchies,
        ledger=location,
        control=control,
    )


def _names(columns: Columns | None) -> tuple[str, ...] | None:
    if columns is None:
        return None
    return (columns,) if isinstance(columns, str) else tuple(columns)
