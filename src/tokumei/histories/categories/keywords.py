"""Assigns categories to item descriptions by keywords, and explains each decision.

categories = keyword_categories(items)              # columns item, description
KeywordRules.named().explain("RED RETROSPOT MUG")  # kitchenware, because of "mug"
keyword_categories(items, rules="mine.yaml", language="en")

The first keyword of the rules that a description holds decides; no keyword: unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import polars as pl

from tokumei.core.catalogs import available_languages
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import AnyPath, FileFormat, load_bytes
from tokumei.histories.categories.keyword_rules_file import (
    Keyword,
    fold_plural,
    parse_keyword_rules,
    split_words,
)
from tokumei.histories.categories.mapping import Categories

UNKNOWN = Message("unknown")
OTHER = Message("other")

TAXONOMY = (
    Message("general goods"),
    Message("kitchenware"),
    Message("decorations"),
    Message("clothing"),
    Message("furniture"),
    Message("stationery"),
    Message("children's"),
    Message("gardening"),
    Message("household"),
    Message("handicrafts"),
    UNKNOWN,
    Message("bath"),
    Message("pets"),
    Message("laundry"),
    Message("first aid"),
    OTHER,
    Message("cosmetics"),
    Message("sports"),
    Message("musical instruments"),
)


def category_title(name: str) -> Message:
    """A built-in category by its name in any language; any other name as it is."""
    return _categories_by_name(available_languages()).get(
        name.strip().casefold(), Message.verbatim(name)
    )


@cache
def _categories_by_name(languages: tuple[str, ...]) -> dict[str, Message]:
    return {
        category.show(language).casefold(): category
        for category in TAXONOMY
        for language in languages
    }


def display_name(name: str, language: Language) -> str:
    """A built-in category, named in any language, in `language`; any other name as it is."""
    return category_title(name).show(language)


RULE_PROFILES = {None: "keyword_rules.yaml", "paper": "keyword_rules_paper.yaml"}
"""The rules of the package; `paper` was fitted to a published table, not made for sense."""


@dataclass(frozen=True, eq=False)
class KeywordRules:
    """Keywords in the order in which they decide."""

    keywords: Sequence[Keyword]
    _rank_by_phrase: Mapping[tuple[str, ...], int]
    _pattern_ranks: Sequence[int]
    _longest_phrase: int

    @classmethod
    def of(cls, keywords: Sequence[Keyword]) -> KeywordRules:
        """Rules that find plain keywords by lookup and try the others one by one."""
        is_plain = [not (word.whole or word.open_end) for word in keywords]
        phrases: dict[tuple[str, ...], int] = {}
        for rank, keyword in enumerate(keywords):
            if is_plain[rank]:
                phrases.setdefault(keyword.words, rank)
        pattern_ranks = [rank for rank in range(len(keywords)) if not is_plain[rank]]
        return cls(keywords, phrases, pattern_ranks, max(map(len, phrases), default=0))

    @classmethod
    def read(cls, path: AnyPath) -> KeywordRules:
        """Rules from a YAML file (see the built-in `keyword_rules.yaml` for the form)."""
        data = to_utf8(load_bytes(path, FileFormat.CSV), "auto", where=path)
        return cls.of(parse_keyword_rules(data.decode(), where=path))

    @classmethod
    def named(cls, rules: AnyPath | None = None) -> KeywordRules:
        """The built-in rules, those of a profile, or those of a file."""
        if rules is None or (isinstance(rules, str) and rules in RULE_PROFILES):
            return cls._read_packaged(RULE_PROFILES[rules])
        return cls.read(rules)

    @classmethod
    @cache
    def _read_packaged(cls, name: str) -> KeywordRules:
        file = resources.files("tokumei.histories.categories") / name
        return cls.of(parse_keyword_rules(file.read_text(encoding="utf-8"), where=name))

    def explain(self, description: str | None) -> Keyword | None:
        """The keyword that decides (its text, category and line); None: nothing tells."""
        raw_words = split_words(description or "")
        words = tuple(map(fold_plural, raw_words))
        rank = min(self._matching_ranks(words, raw_words), default=None)
        return None if rank is None else self.keywords[rank]

    def category(self, description: str | None, *, language: Language = "ja") -> str:
        """The category of a description, unknown if no keyword tells."""
        keyword = self.explain(description)
        title = category_title(keyword.category) if keyword else UNKNOWN
        return title.show(language)

    def _matching_ranks(self, words: tuple[str, ...], raw_words: tuple[str, ...]) -> Iterator[int]:
        for start in range(len(words)):
            for end in range(start + 1, min(start + self._longest_phrase, len(words)) + 1):
                if (rank := self._rank_by_phrase.get(words[start:end])) is not None:
                    yield rank
        for rank in self._pattern_ranks:
            if _matches_pattern(self.keywords[rank], words, raw_words):
                yield rank


def keyword_categories(
    items: pl.DataFrame, *, rules: AnyPath | None = None, language: Language = "ja"
) -> Categories:
    """A category for every item of a frame with columns `item` and `description`.

    Built-in categories are named in `language`; `rules` is a file of rules to use instead, or the
    name of a profile.
    """
    keyword_rules = KeywordRules.named(rules)
    pairs = items.select("item", "description").iter_rows()
    return Categories(
        "keywords", {item: keyword_rules.category(text, language=language) for item, text in pairs}
    )


def _matches_pattern(keyword: Keyword, words: tuple[str, ...], raw_words: tuple[str, ...]) -> bool:
    """Whether a keyword with = or * fits."""
    if keyword.whole:
        return words == keyword.words
    *before, beginning = keyword.words
    return any(
        raw_words[end].startswith(beginning) and list(words[end - len(before) : end]) == before
        for end in range(len(before), len(words))
    )
