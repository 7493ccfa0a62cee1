"""Tests of tokumei.apps.papers.headings."""

from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.published_values import PAPER_NUMBERS, read_published_paper
from tokumei.core.messages import Message


def test_keys_become_words_and_words_of_the_paper_stay() -> None:
    assert describe_heading("loss_items").show("ja") == "損失 (商品)"
    assert describe_heading("method_A").texts() == {"en": "method A", "ja": "手法 A"}
    assert describe_heading("level2").show("en") == "level 2"
    assert describe_heading("DA") == Message.verbatim("DA")
    for number in PAPER_NUMBERS:
        for block in read_published_paper(number).blocks.values():
            assert not [name for name in block.columns if "_" in describe_heading(name).show("en")]
