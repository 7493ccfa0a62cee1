"""`Scenario`: who gets a release, what they may know of a person, how much may be found.

    Scenario.for_recipient("partner", knows=["age", "sex"])
    Scenario.from_dict({"recipient": "public", "limits": {"smallest_class": 50}})

The defaults of a recipient are conventions, not law (docs/assess.md).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message

Recipient = Literal["public", "partner", "inside"]
Membership = Literal["prosecutor", "journalist"]
RECIPIENTS: tuple[Recipient, ...] = ("public", "partner", "inside")
RECIPIENT_NOUN = Message("recipient")
ROUGH_FORM = re.compile(r"(?P<size>\d+(?:\.\d+)?)(?P<unit>d|%|)")


@dataclass(frozen=True)
class ColumnKnowledge:
    """What the recipient may know of one column: its value, or only roughly.

    At most one of `days`, `percent`, `first` (characters) and `levels` (of the hierarchy) is given.
    """

    column: str
    days: float | None = None
    percent: float | None = None
    first: int | None = None
    levels: int | None = None

    def __post_init__(self) -> None:
        if sum(getattr(self, name) is not None for name in _ROUGH_FIELDS) > 1:
            raise UsageError(
                "'{column}' is known roughly in two ways; give one", column=self.column
            )

    @property
    def is_exact(self) -> bool:
        """Whether the value itself is known."""
        return all(getattr(self, name) is None for name in _ROUGH_FIELDS)

    @classmethod
    def parse(cls, text: str) -> ColumnKnowledge:
        """From `age`, `date~30d`, `amount~10%`, `postcode~3` (first characters) or `city~up`."""
        column, separator, rough = text.rpartition("~")
        if not separator:
            return cls(text)
        if rough == "up":
            return cls(column, levels=1)
        form = ROUGH_FORM.fullmatch(rough)
        if form is None:
            raise UsageError(
                "'{text}' is not understood: write a column, or column~30d (days), column~10%, "
                "column~3 (first characters), column~up (the category above)",
                field="knows",
                value=text,
                text=text,
            )
        size = float(form["size"])
        if form["unit"] == "d":
            return cls(column, days=size)
        return cls(column, percent=size) if form["unit"] else cls(column, first=int(size))

    @property
    def text(self) -> str:
        """The form that `parse` reads."""
        for value, unit in ((self.days, "d"), (self.percent, "%"), (self.first, "")):
            if value is not None:
                return f"{self.column}~{value:g}{unit}"
        return f"{self.column}~up" if self.levels is not None else self.column


_ROUGH_FIELDS = ("days", "percent", "first", "levels")


@dataclass(frozen=True)
class ScenarioLimits:
    """How much may be found: shares of the people released, and people in the smallest class."""

    identified: float
    guessed_right: float
    smallest_class: int


DEFAULT_LIMITS: Mapping[str, ScenarioLimits] = MappingProxyType(
    {
        "public": ScenarioLimits(0.0, 0.05, 20),
        "partner": ScenarioLimits(0.0, 0.20, 5),
        "inside": ScenarioLimits(0.01, 0.34, 3),
    }
)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """The assumptions about a recipient under which a release is judged.

    `knows` None stands for the recipient's default: every column that leaves (public), the
    quasi-identifiers (partner, inside). `at_once`: how many of them at the same time (default
    all). `holds`: columns of the recipient's own data. `person`: the column that tells people
    apart; "none": every row is another person. `population`: how many people a journalist
    chooses from. `keep`: columns that weigh more in the information kept. `uses`: measures of the
    registry that say what the data is needed for (docs/measures.md), by name. `purchases`: which
    purchases of a person are known, where the data are purchases ("3", "month", "all", "totals",
    "earlier"; None: the recipient's default).
    """

    recipient: Recipient = "partner"
    knows: tuple[ColumnKnowledge, ...] | None = None
    at_once: int | None = None
    knows_membership: Membership = "prosecutor"
    population: int | None = None
    holds: tuple[str, ...] = ()
    person: str | None = None
    limits: ScenarioLimits = DEFAULT_LIMITS["partner"]
    keep: Mapping[str, float] = field(default_factory=dict)
    uses: tuple[str, ...] = ()
    purchases: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.recipient not in RECIPIENTS:
            raise UnknownNameError(
                RECIPIENT_NOUN, str(self.recipient), RECIPIENTS, field="recipient"
            )
        if self.at_once is not None and self.at_once < 1:
            raise UsageError("at least one column is known at once", field="at_once")

    @classmethod
    def for_recipient(
        cls,
        recipient: str,
        *,
        knows: Sequence[str | ColumnKnowledge] | None = None,
        limits: Mapping[str, float] | None = None,
        **fields: Any,
    ) -> Scenario:
        """The defaults of a recipient, with what is given in their place."""
        if recipient not in RECIPIENTS:
            raise UnknownNameError(RECIPIENT_NOUN, recipient, RECIPIENTS, field="recipient")
        known = None
        if knows is not None:
            known = tuple(
                column if isinstance(column, ColumnKnowledge) else ColumnKnowledge.parse(column)
                for column in knows
            )
        own_limits = replace(DEFAULT_LIMITS[recipient], **_as_limits(limits or {}))
        return cls(recipient=recipient, knows=known, limits=own_limits, **fields)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scenario:
        """From plain data, as `to_dict` gives it; what is missing has the recipient's default."""
        unknown = sorted({*data} - {*_DICT_KEYS})
        if unknown:
            raise UnknownNameError(Message("key of a scenario"), unknown[0], _DICT_KEYS)
        given = dict(data)
        return cls.for_recipient(
            str(given.pop("recipient", "partner")),
            knows=given.pop("knows", None),
            limits=given.pop("limits", None),
            holds=tuple(given.pop("holds", ())),
            uses=tuple(given.pop("uses", ())),
            purchases=None if (known := given.pop("purchases", None)) is None else tuple(known),
            **given,
        )

    def changed(
        self,
        *,
        recipient: str | None = None,
        knows: Sequence[str | ColumnKnowledge] | None = None,
        limits: Mapping[str, float] | None = None,
        **fields: Any,
    ) -> Scenario:
        """This scenario with what is given in its place; another recipient brings its defaults.

        Fields that are None stay as they are.
        """
        is_same = recipient in (None, self.recipient)
        base = Scenario.for_recipient(recipient or self.recipient, knows=knows, limits=limits)
        own_limits = replace(self.limits, **_as_limits(limits or {})) if is_same else base.limits
        own_knows = self.knows if is_same and knows is None else base.knows
        given = {name: value for name, value in fields.items() if value is not None}
        return replace(self, recipient=base.recipient, knows=own_knows, limits=own_limits, **given)

    def to_public_dict(self, columns: Collection[str]) -> dict[str, object]:
        """What a manifest says of it: recipient, limits, and what is known of these columns."""
        known = [item.text for item in self.knows or () if item.column in columns]
        return {
            "recipient": self.recipient,
            "knows": None if self.knows is None else known,
            "limits": asdict(self.limits),
        }

    def to_dict(self) -> dict[str, object]:
        """Plain data, complete."""
        return {
            "recipient": self.recipient,
            "knows": None if self.knows is None else [column.text for column in self.knows],
            "at_once": self.at_once,
            "knows_membership": self.knows_membership,
            "population": self.population,
            "holds": list(self.holds),
            "person": self.person,
            "limits": asdict(self.limits),
            "keep": dict(self.keep),
            "uses": list(self.uses),
            "purchases": None if self.purchases is None else list(self.purchases),
        }


_DICT_KEYS = (
    "recipient",
    "knows",
    "at_once",
    "knows_membership",
    "population",
    "holds",
    "person",
    "limits",
    "keep",
    "uses",
    "purchases",
)


def describe_scenario(scenario: Scenario | None, columns: Collection[str]) -> dict[str, object]:
    """The entry of a manifest on the scenario of a release with these columns."""
    return {} if scenario is None else {"scenario": scenario.to_public_dict(columns)}


def _as_limits(limits: Mapping[str, float]) -> dict[str, Any]:
    names = ("identified", "guessed_right", "smallest_class")
    for name in limits:
        if name not in names:
            raise UnknownNameError(Message("limit"), name, names, field="limits")
    return {
        name: int(value) if name == "smallest_class" else float(value)
        for name, value in limits.items()
    }
