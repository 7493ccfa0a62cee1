"""The assumptions that a verdict rests on: those of the scenario, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.verdict import UNIT_WORDS
from tokumei.assessment.wording import name_columns
from tokumei.core.messages import Message, join_messages
from tokumei.core.scenario import ColumnKnowledge, Scenario

if TYPE_CHECKING:
    from tokumei.assessment.joint import JointFigures

RECIPIENT_WORDS = {
    "public": Message("the public"),
    "partner": Message("the partner"),
    "inside": Message("the recipient inside"),
}


@dataclass(frozen=True)
class Assumption:
    """One assumption, with its stable code and the columns it is about."""

    code: str
    message: Message
    columns: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {"code": self.code, "columns": list(self.columns), **self.message.as_json("text")}


def list_assumptions(
    opened: OpenedRelease,
    scenario: Scenario,
    knows: Sequence[ColumnKnowledge],
    attackers: Sequence[AttackerFigures],
) -> list[Assumption]:
    """Everything that is taken for granted."""
    recipient = RECIPIENT_WORDS[scenario.recipient]
    known = {knowledge.column for knowledge in knows}
    unknown = tuple(
        name
        for name, codes in opened.columns.items()
        if name not in known and not codes.is_constant
    )
    found = list[Assumption]()
    if unknown:
        message = Message(
            "assumes that {recipient} does not already know {columns} of anybody",
            recipient=recipient,
            columns=name_columns(unknown),
        )
        found.append(Assumption("does-not-know", message, unknown))
    rough = [knowledge for knowledge in knows if not knowledge.is_exact]
    if rough:
        message = Message(
            "assumes that {recipient} knows these only roughly: {columns}",
            recipient=recipient,
            columns=join_messages([knowledge.text for knowledge in rough]),
        )
        found.append(Assumption("roughly", message, tuple(item.column for item in rough)))
    if scenario.at_once is not None and scenario.at_once < len(knows):
        message = Message(
            "assumes that {recipient} knows at most {number} columns of a person at once",
            recipient=recipient,
            number=scenario.at_once,
        )
        found.append(Assumption("at-once", message))
    if scenario.knows_membership == "journalist" and scenario.population:
        message = Message(
            "assumes that {recipient} does not know who of {population:,} people is in the data",
            recipient=recipient,
            population=scenario.population,
        )
        found.append(Assumption("membership", message))
    if not opened.counts_people:
        message = Message("assumes that every row is another person")
        found.append(Assumption("rows-are-people", message))
    return [*found, *_certain_values(attackers, opened.unit)]


def _certain_values(attackers: Sequence[AttackerFigures], unit: str) -> list[Assumption]:
    """Sensitive values that are learned for certain though nobody is identified."""
    certain: dict[str, float] = {}
    for attacker in attackers:
        for name, count in attacker.certain_values.items():
            certain[name] = max(certain.get(name, 0), count)
    return [
        Assumption(
            "values-certain",
            Message(
                "{column} becomes known for certain for {number:,} {unit}, because all who "
                "look like them share it; the scenario sets no limit for this",
                column=name,
                number=round(count),
                unit=UNIT_WORDS[unit],
            ),
            (name,),
        )
        for name, count in certain.items()
        if count
    ]


def assume_of_joint(joint: JointFigures | None) -> list[Assumption]:
    """What is taken for granted where earlier releases do not decide."""
    if joint is None or (joint.people and joint.is_linked):
        return []
    releases = join_messages(list(joint.earlier))
    if not joint.people:
        message = Message(
            "assumes that nobody here is in the earlier releases {releases}: the ledger knows none "
            "of these people",
            releases=releases,
        )
        return [Assumption("joint-nobody", message)]
    message = Message(
        "assumes that rows of the same person cannot be told here and in the earlier releases "
        "{releases}: no test could link them",
        releases=releases,
    )
    return [Assumption("joint-not-linked", message)]
