"""Which purchases are known: forms, words and conventions."""

from __future__ import annotations

import pytest

from tokumei.assessment.known_purchases import KnownPurchases, known_purchases
from tokumei.core.errors import UnknownNameError
from tokumei.core.scenario import Scenario


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1", "one purchase (day, item)"),
        ("3", "3 purchases (day, item)"),
        ("month", "all purchases of a month (day, item)"),
        ("all", "all purchases (day, item)"),
        ("totals", "the number of purchases and their totals"),
    ],
)
def test_every_form_has_words(text: str, words: str) -> None:
    assert KnownPurchases.parse(text).describe(["day", "item"]).show("en") == words


@pytest.mark.parametrize("text", ["0", "-1", "²", "some", ""])
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(UnknownNameError):
        KnownPurchases.parse(text)


def test_recipients_have_conventions() -> None:
    partner, public = Scenario(), Scenario.for_recipient("public")
    assert known_purchases(partner) == [KnownPurchases("count", 3)]
    assert known_purchases(public) == [KnownPurchases("all")]
    own = Scenario.for_recipient("public", purchases=("2", "month"))
    assert known_purchases(own) == [KnownPurchases("count", 2), KnownPurchases("month")]
