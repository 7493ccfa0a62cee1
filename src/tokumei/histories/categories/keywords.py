"""Categories from item descriptions by keywords, each decision explained.

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

from tokumei.core.text import Language, Text
from tokumei.files.containers import AnyPath, Format, load_bytes
from tokumei.files.encodings import to_utf8
from tokumei.histories.categories.categories import Categories
from tokumei.histories.categories.rules_file import Keyword, folded, parse_rules, written_words

UNKNOWN = Text("unknown", "不明")
OTHER = Text("other", "その他")

TAXONOMY = (
    Text("general goods", "雑貨"),
    Text("kitchenware", "キッチン用品"),
    Text("decorations", "装飾品"),
    Text("clothing", "衣類"),
    Text("furniture", "家具"),
    Text("stationery", "文具"),
    Text("children's", "子供用"),
    Text("gardening", "ガーデニング用品"),
    Text("household", "生活用品"),
    Text("handicrafts", "手芸品"),
    UNKNOWN,
    Text("bath", "バス用品"),
    Text("pets", "ペット用品"),
    Text("laundry", "ランドリー用品"),
    Text("first aid", "応急用品"),
    OTHER,
    Text("cosmetics", "化粧品"),
    Text("sports", "スポーツ用品"),
    Text("musical instruments", "楽器"),
)

_BY_NAME = {name.casefold(): category for category in TAXONOMY for name in category}


def display_name(name: str, language: Language) -> str:
    """A built-in category, named in either language, in `language`; any other name as it is."""
    category = _BY_NAME.get(name.strip().casefold())
    return category.show(language) if category else name


PROFILES = {None: "keyword_rules.yaml", "paper": "keyword_rules_paper.yaml"}
"""The rules of the package; `paper` was fitted to a published table, not made for sense."""


@dataclass(frozen=True, eq=False)
class KeywordRules:
    """Keywords in the order in which they decide."""

    keywords: Sequence[Keyword]
    _phrases: Mapping[tuple[str, ...], int]
    _others: Sequence[int]
    _longest: int

    @classmethod
    def of(cls, keywords: Sequence[Keyword]) -> KeywordRules:
        """Rules that find plain keywords by lookup and try the others one by one."""
        plain = [not (word.whole or word.open_end) for word in keywords]
        phrases: dict[tuple[str, ...], int] = {}
        for rank, keyword in enumerate(keywords):
            if plain[rank]:
                phrases.setdefault(keyword.words, rank)
        others = [rank for rank in range(len(keywords)) if not plain[rank]]
        return cls(keywords, phrases, others, max(map(len, phrases), default=0))

    @classmethod
    def read(cls, path: AnyPath) -> KeywordRules:
        """Rules from a YAML file (see the built-in `keyword_rules.yaml` for the form)."""
        data = to_utf8(load_bytes(path, Format.CSV), "auto", where=path)
        return cls.of(parse_rules(data.decode(), where=path))

    @classmethod
    def named(cls, rules: AnyPath | None = None) -> KeywordRules:
        """The built-in rules, those of a profile, or those of a file."""
        if rules is None or (isinstance(rules, str) and rules in PROFILES):
            return cls._packaged(PROFILES[rules])
        return cls.read(rules)

    @classmethod
    @cache
    def _packaged(cls, name: str) -> KeywordRules:
        file = resources.files("tokumei.histories.categories") / name
        return cls.of(parse_rules(file.read_text(encoding="utf-8"), where=name))

    def explain(self, description: str | None) -> Keyword | None:
        """The keyword that decides (its text, category and line); None: nothing tells."""
        written = written_words(description or "")
        words = tuple(map(folded, written))
        rank = min(self._ranks(words, written), default=None)
        return None if rank is None else self.keywords[rank]

    def category(self, description: str | None, *, language: Language = "ja") -> str:
        """The category of a description, unknown if no keyword tells."""
        found = self.explain(description)
        return display_name(found.category if found else UNKNOWN.ja, language)

    def _ranks(self, words: tuple[str, ...], written: tuple[str, ...]) -> Iterator[int]:
        for start in range(len(words)):
            for end in range(start + 1, min(start + self._longest, len(words)) + 1):
                if (rank := self._phrases.get(words[start:end])) is not None:
                    yield rank
        for rank in self._others:
            if _matches(self.keywords[rank], words, written):
                yield rank


def keyword_categories(
    items: pl.DataFrame, *, rules: AnyPath | None = None, language: Language = "ja"
) -> Categories:
    """A category for every item of a frame with columns `item` and `description`.

    Built-in categories are named in `language`; `rules` is a file of rules to use instead, or the
    name of a profile.
    """
    chosen = KeywordRules.named(rules)
    pairs = items.select("item", "description").iter_rows()
    return Categories(
        "keywords", {item: chosen.category(text, language=language) for item, text in pairs}
    )


def _matches(keyword: Keyword, words: tuple[str, ...], written: tuple[str, ...]) -> bool:
    """Whether a keyword with = or * fits."""
    if keyword.whole:
        return words == keyword.words
    *before, beginning = keyword.words
    return any(
        written[end].startswith(beginning) and list(words[end - len(before) : end]) == before
        for end in range(len(before), len(words))
    )
