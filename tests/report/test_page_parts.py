"""Sentences of a page follow each other as their language writes them."""

from tokumei.core.messages import Message
from tokumei.report.page_parts import join_sentences


def test_japanese_sentences_have_no_blanks_between_them() -> None:
    joined = join_sentences(Message("One.", "一。"), Message("Two.", "二。"))
    assert joined == Message("One. Two.", "一。二。")
