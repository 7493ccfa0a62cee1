"""Assesses a release in memory with what it was made from, whatever kind of data it is.

    assessment = assess_release(source, release)         # under the scenario of the release

A kind without an assessment gives None; nothing takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tokumei.assessment.assess import assess_table
from tokumei.assessment.open_release import AssessTable
from tokumei.kinds import kind_of

if TYPE_CHECKING:
    from tokumei.assessment.assessment import Assessment
    from tokumei.core.data_kind import Release
    from tokumei.core.scenario import Scenario


def assess_release(
    source: object, release: Release, *, scenario: Scenario | None = None, remedies: bool = True
) -> Assessment | None:
    """The assessment of a release; None if there is none for its kind."""
    assessor = ASSESSORS.get(kind_of(release).name)
    return None if assessor is None else assessor(source, release, scenario, remedies)


def _assess_table_release(
    source: Any, release: Any, scenario: Scenario | None, remedies: bool
) -> Assessment:
    request = AssessTable(
        original=source, release=release, scenario=scenario, remedies=remedies, conformity=remedies
    )
    return assess_table(request)


Assessor = Callable[[Any, Any, "Scenario | None", bool], "Assessment"]
ASSESSORS: Mapping[str, Assessor] = {"tables": _assess_table_release}
"""By the name of the kind."""
