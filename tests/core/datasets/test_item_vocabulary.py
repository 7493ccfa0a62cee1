"""Tests of tokumei.core.datasets.item_vocabulary."""

from __future__ import annotations

from tokumei.core.datasets.item_vocabulary import COLOUR_WORDS, ITEM_KINDS, PATTERN_WORDS


def test_words_are_unique_so_that_a_thing_names_its_kind() -> None:
    things = [thing for goods in ITEM_KINDS.values() for thing in goods.things]
    for words in (things, COLOUR_WORDS, PATTERN_WORDS):
        assert len(set(words)) == len(words)
        assert all(word and word == word.strip() for word in words)
