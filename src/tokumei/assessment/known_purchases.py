"""Which purchases of a customer a recipient may know.

KnownPurchases.parse("3")          # three purchases: those that tell most
KnownPurchases.parse("month")      # all purchases of a month, whichever tells most
KnownPurchases.parse("all")        # all purchases that left, and how many they are
KnownPurchases.parse("totals")     # how many purchases, and what they add up to
KnownPurchases.parse("earlier")    # all purchases of the first half, to find the second

The defaults of a recipient are conventions, as those of the columns (docs/assess.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tokumei.assessment.wording import name_columns
from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario

FORMS = ("all", "month", "totals", "earlier")
DEFAULT_PURCHASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"public": ("all",), "partner": ("3",), "inside": ("3",)}
)


@dataclass(frozen=True)
class KnownPurchases:
    """One form of knowledge; `count` purchases where the form is "count"."""

    form: str
    count: int = 0

    @classmethod
    def parse(cls, text: str) -> KnownPurchases:
        """From a number, or one of the forms."""
        if text.isascii() and text.isdecimal() and int(text) > 0:
            return cls("count", int(text))
        if text not in FORMS:
            raise UnknownNameError(
                Message("form of known purchases"), text, ("3", *FORMS), field="purchases"
            )
        return cls(text)

    def describe(self, columns: Sequence[str]) -> Message:
        """By what people are found: the words of the verdict."""
        names = name_columns(columns)
        if self.form == "totals":
            return Message("the number of purchases and their totals")
        if not columns:
            return Message("guessing")
        if self.form == "count":
            return Message(
                "one purchase ({columns})",
                plural="{count} purchases ({columns})",
                count=self.count,
                columns=names,
            )
        sentence = {
            "all": Message("all purchases ({columns})"),
            "month": Message("all purchases of a month ({columns})"),
            "earlier": Message("all purchases of the first half of the time ({columns})"),
        }[self.form]
        return sentence.fill(columns=names)


def known_purchases(scenario: Scenario) -> list[KnownPurchases]:
    """What the scenario says, or the convention for its recipient."""
    named = scenario.purchases
    return [
        KnownPurchases.parse(text)
        for text in (DEFAULT_PURCHASES[scenario.recipient] if named is None else named)
    ]
