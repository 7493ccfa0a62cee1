"""Words of advice with what they are about."""

from tokumei.core.messages import Message
from tokumei.tables.advice.explanations import fill_message


def test_every_language_gets_its_own_words() -> None:
    template = Message("{1} of {0} rows", "{0} 行中 {1}")
    filled = fill_message(template, 10, Message("three", "三"))
    assert filled == Message("three of 10 rows", "10 行中 三")
