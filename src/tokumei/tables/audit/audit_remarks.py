"""What an audit refuses, and what it warns of: groups of people that cannot serve."""

from __future__ import annotations

from collections.abc import Mapping

from tokumei.core.errors import InputError
from tokumei.core.messages import Message
from tokumei.tables.audit.audit_case import AuditCase, DrawnTargets
from tokumei.tables.audit.control_test import ControlTest

ENOUGH_PEOPLE = 200
"""With fewer on a side, intervals of membership attacks hold the truth less often than they say."""


def require_other_people(result: ControlTest, drawn: DrawnTargets, control: str) -> None:
    """Fail if the control holds members: its figures would call every leak a chance."""
    if result.holds_members:
        raise InputError(
            "{control}: {twins:,} of {controls:,} people equal a member in all known columns, many "
            "more than members equal each other: a control that holds members cannot serve, and no "
            "figure is given",
            control=control,
            twins=result.twins,
            controls=int((~drawn.member).sum()),
        )


def few_people_warnings(case: AuditCase) -> list[Message]:
    """Warn of intervals that are too narrow."""
    fewest = min(case.members.height, case.control.height)
    few_people_warning = Message(
        "{people} people are too few for intervals: with fewer than {needed} in the data, or in "
        "the control group, they are too narrow",
        people=fewest,
        needed=ENOUGH_PEOPLE,
    )
    return [few_people_warning] if fewest < ENOUGH_PEOPLE else []


def truncation_warnings(counts: Mapping[str, int]) -> list[Message]:
    """Warn of people whom the attacker does not know."""
    all_people = counts["members"] + counts["control"]
    missing_people = all_people - counts["targets"] - counts["bystanders"]
    truncation_warning = Message(
        "the attacker's list is cut: {missing_people:,} people, drawn at random from those in the "
        "data and the others, are not on it; an attacker who knows them may find out more",
        missing_people=missing_people,
    )
    return [truncation_warning] if missing_people > 0 else []
