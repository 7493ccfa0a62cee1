"""Reasons of candidates."""

from tokumei.core.messages import Message
from tokumei.tables.advice.explanations import METHOD_FORMS, START_REASON


def test_every_language_orders_the_values_of_a_reason_as_it_needs() -> None:
    reason: Message = START_REASON.fill(k=10, form=METHOD_FORMS["local"])
    assert reason.show("en") == (
        "begins where your answers point: groups of at least 10, as fine as can be"
    )
    assert reason.show("ja") == "回答から決まる出発点です: 10 以上のグループ (できるだけ細かく)"
