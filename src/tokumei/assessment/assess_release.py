"""Assesses a release of any kind of data: one entry for all front ends.

    assess_release(history, release, scenario=Scenario.for_recipient("public"))

Every kind names its own service (`DataKind.make_assessment`); of data whose kind has none, it
cannot be told whether a release fits.
"""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

from tokumei.assessment.assess import assess_table
from tokumei.assessment.assess_history import assess_history
from tokumei.assessment.assess_periods import assess_periods
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.open_history import AssessHistory
from tokumei.assessment.open_periods import AssessPeriods
from tokumei.assessment.open_release import AssessTable
from tokumei.assessment.verdict import ReleaseVerdict, Unknown
from tokumei.core.data_kind import DataKind
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.services.requests import HistorySource
from tokumei.kinds import all_kinds, kind_of
from tokumei.pseudonyms.services.requests import PeriodSource

if TYPE_CHECKING:
    from tokumei.histories.data.history import History
    from tokumei.pseudonyms.data.period_history import PeriodHistory


def assess_release(
    original: object,
    release: object,
    *,
    link: object = None,
    scenario: Scenario | None = None,
    remedies: bool = True,
    conformity: bool | None = None,
    **options: object,
) -> Assessment:
    """The assessment of a release by its kind's own service; None among options is none.

    `conformity`: check it, where the kind has such checks (default: if remedies are measured).
    """
    kind = _kind(original, release)
    if kind.make_assessment is None:
        return unknown_kind(kind, scenario or Scenario())
    make = kind.make_assessment.load()
    parameters = inspect.signature(make).parameters
    given = {name: value for name, value in options.items() if value is not None}
    unused = [name for name in given if name not in parameters]
    if unused:
        raise UsageError(
            "{title}: '{option}' is not used to assess such releases",
            title=kind.title,
            option=unused[0],
            field=unused[0],
        )
    if "conformity" in parameters:
        given["conformity"] = remedies if conformity is None else conformity
    assessment: Assessment = make(
        original, release, link=link, scenario=scenario, remedies=remedies, **given
    )
    return assessment


def _kind(original: object, release: object) -> DataKind:
    """The kind of the release, unless that is a mere file or frame."""
    first = all_kinds()[0]
    kinds = (kind_of(release), kind_of(original))
    return next((kind for kind in kinds if kind is not first), first)


def unknown_kind(kind: DataKind, scenario: Scenario) -> Assessment:
    """That releases of this kind cannot be judged yet."""
    message = Message("{title}: such releases cannot be judged yet", title=kind.title)
    return Assessment(
        verdict=ReleaseVerdict("unknown", "no-assessment", message),
        scenario=scenario,
        knows=(),
        unit="rows",
        total=0,
        total_source=0,
        rows=0,
        rows_source=0,
        unknown=[Unknown("no-assessment", message, is_fundamental=True)],
    )


def assess_table_data(
    original: Any,
    release: Any,
    *,
    link: Any,
    scenario: Scenario | None,
    remedies: bool,
    qi: tuple[str, ...] | None = None,
    sa: tuple[str, ...] | None = None,
    ids: tuple[str, ...] | None = None,
    hierarchies: Any = None,
    conformity: bool = True,
    ledger: Any = None,
    control: Any = None,
) -> Assessment:
    """Tables."""
    return assess_table(
        AssessTable(
            original=original,
            release=release,
            link=link,
            scenario=scenario,
            remedies=remedies,
            qi=qi,
            sa=sa,
            ids=ids,
            hierarchies=hierarchies,
            conformity=conformity,
            ledger=ledger,
            control=control,
        )
    )


def assess_history_data(
    original: History, release: Any, *, link: Any, scenario: Scenario | None, remedies: bool
) -> Assessment:
    """Purchase histories."""
    layout = history_layout(
        original.format, {"columns": dict(original.names)} if original.format == "table" else {}
    )
    if isinstance(link, str | os.PathLike):
        link = str(link)
    source = HistorySource(data=original, layout=layout)
    request = AssessHistory(
        original=source,
        release=release,
        truth=link,
        scenario=scenario or Scenario(),
        remedies=remedies,
    )
    return assess_history(request)


def assess_period_data(
    original: PeriodHistory, release: Any, *, link: Any, scenario: Scenario | None, remedies: bool
) -> Assessment:
    """Pseudonyms over time."""
    request = AssessPeriods(
        original=PeriodSource(data=original),
        release=release,
        truth=link,
        scenario=scenario or Scenario(),
        remedies=remedies,
    )
    return assess_periods(request)
