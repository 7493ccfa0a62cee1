"""`tokumei price patterns suggest`: words for values that a price list does not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.cli.price.inputs import read_people, read_prices
from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.option_values import pairs
from tokumei.core.options import encoding_option, seed_option, sep_option, spare_sources
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.price.dictionary import PriceList
    from tokumei.price.likeness import Likeness
    from tokumei.price.suggestions import Suggestion
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

ATTRIBUTE, PATTERN = Text("attribute", "属性"), Text("pattern", "パターン")
SOURCE, SCORE = Text("by", "根拠"), Text("score", "スコア")
RIGHT = Text("right", "正解")


@dataclass(frozen=True, kw_only=True)
class Suggest(Ask):
    """Propose words for new values."""

    about: ClassVar = Text(
        "For values that a pattern of the price list does not know: the word whose values are most "
        "alike, with a score. By built-in hierarchies (occupations, prefectures) or your own, by "
        "your file of word vectors, by numbers or by characters; nothing is looked up in a "
        "network. Nothing is applied unless --apply names a new price list. --hide says how often "
        "the suggestions are right on words that the list knows.",
        "価格表のパターンにない値について、最も近い値の語をスコアつきで提案します。組み込みの階層 "
        "(職業、都道府県) か自分の階層、単語ベクトルのファイル、数、文字によります。"
        "ネットワークは使いません。"
        "--apply で新しい価格表を指定しない限り、何も適用しません。"
        "--hide は、価格表にある語を隠して提案の正解率を測ります。",
    )
    examples: ClassVar = (
        "tokumei price patterns suggest --patterns prices.csv --data people.csv",
        "tokumei price patterns suggest --patterns prices.csv --hide 0.2 --seed 1",
    )

    patterns: str = option("the price list", "価格表")
    data: str | None = option("a table with new values", "新しい値のある表", default=None)
    word: list[str] = option("a new value: attribute=value", "新しい値: 属性=値", default=[])
    hierarchy: list[str] = option(
        "attribute=FILE or attribute=NAME", "属性=ファイル、属性=名前", default=[]
    )
    embeddings: str | None = option(
        "word vectors: lines of word x1 x2 …", "単語ベクトル: 語 x1 x2 … の行", default=None
    )
    least: float = option("the least score to propose", "提案する最低スコア", default=0.0)
    apply: str | None = option(
        "a new price list with the suggestions", "提案を加えた価格表の出力先", default=None
    )
    hide: float | None = option(
        "instead: hide this share of known words and count",
        "代わりに: 既知の語を隠して測る割合",
        default=None,
    )
    draws: int = option("how often to hide", "隠す回数", default=100, least=1)
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Proposals, or how good they are."""
        prices = read_prices(self.patterns, encoding=self.encoding)
        sources = {name: self._sources(prices, name) for name in prices.patterns}
        return (
            self._suggested(prices, sources) if self.hide is None else self._tried(prices, sources)
        )

    def _suggested(self, prices: PriceList, sources: dict[str, dict[str, Likeness]]) -> Answer:
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import frame_output
        from tokumei.price.suggestions import applied, as_frame, suggest

        every = suggest(prices, self._new(prices), sources)
        found = [one if one.score >= self.least else _unknown(one) for one in every]
        notes = []
        if self.apply is not None:
            spare_sources([self.patterns, self.data], [self.apply])
            write_all([frame_output(as_frame(applied(prices, found)), self.apply)])
            count = sum(one.word is not None for one in found)
            notes = [
                Text(
                    f"{self.apply}: {count} of {len(found)} suggestions were added",
                    f"{self.apply}: 提案 {len(found)} 件のうち {count} 件を加えました",
                )
            ]
        shown = [_suggestions(found)] if found else [NOTHING_NEW]
        return Answer([one.as_json() for one in found], shown, notes)

    def _tried(self, prices: PriceList, sources: dict[str, dict[str, Likeness]]) -> Answer:
        from tokumei.price.dictionary import ORIGINAL
        from tokumei.price.suggestions import shown_words, suggestion_trial

        rows: list[dict[str, Any]] = []
        for name, patterns in prices.patterns.items():
            for pattern, words in patterns.items():
                known = shown_words(prices, name, words)
                if pattern == ORIGINAL or round(len(known) * (self.hide or 0)) < 1:
                    continue
                for source, likeness in sources[name].items():
                    trial = suggestion_trial(
                        known,
                        {source: likeness},
                        hidden=self.hide or 0,
                        draws=self.draws,
                        seed=self.seed,
                    )
                    told = {"attribute": name, "pattern": pattern, "source": source}
                    rows.append({**told, **trial.as_json()})
        return Answer(rows, [_trials(rows)])

    def _new(self, prices: PriceList) -> dict[str, list[str]]:
        from tokumei.price.suggestions import missing_values

        if self.data is None and not self.word:
            raise UsageError(
                "give --data, --word attribute=value, or --hide",
                "--data、--word 属性=値、--hide のいずれかを指定してください",
            )
        found: dict[str, list[str]] = {}
        if self.data is not None:
            frame = read_people(self.data, sep=self.sep, encoding=self.encoding)
            found = missing_values(frame, prices)
        for one in self.word:
            ((name, value),) = pairs([one], "--word").items()
            if name not in prices.patterns:
                raise UnknownNameError(ATTRIBUTE, name, prices.patterns)
            found.setdefault(name, []).append(value)
        return found

    def _sources(self, prices: PriceList, name: str) -> dict[str, Likeness]:
        from tokumei.price.dictionary import ORIGINAL
        from tokumei.price.likeness import likenesses, read_vectors
        from tokumei.price.suggestions import shown_words

        known = list(shown_words(prices, name, prices.patterns[name][ORIGINAL]))
        tree = pairs(self.hierarchy, "--hierarchy").get(name)
        vectors = None if self.embeddings is None else read_vectors(self.embeddings)
        return likenesses(known, hierarchy=_hierarchy(name, tree), vectors=vectors)


NOTHING_NEW = Text(
    "Every pattern has a word for every value.", "どのパターンにもすべての値の語があります。"
)


def _hierarchy(name: str, given: str | None) -> Hierarchy | None:
    from tokumei.tables.hierarchies.builtin import BUILTIN, builtin_hierarchy
    from tokumei.tables.hierarchies.files import read_hierarchy

    if given is None:
        return None
    return builtin_hierarchy(given) if given in BUILTIN else read_hierarchy(given, name)


def _unknown(one: Suggestion) -> Suggestion:
    return replace(one, word=None, source=None, nearest=None)


def _suggestions(found: Sequence[Suggestion]) -> Listing:
    rows = [
        [
            one.attribute,
            one.value,
            one.pattern,
            "?" if one.word is None else one.word,
            f"{one.score:.2f}",
            one.source or "",
            one.nearest or "",
        ]
        for one in found
    ]
    names = (
        ATTRIBUTE,
        Text("new value", "新しい値"),
        PATTERN,
        Text("suggested word", "提案する語"),
        SCORE,
        SOURCE,
        Text("most alike", "最も近い値"),
    )
    return Listing(Text("Suggestions (not applied)", "提案 (適用していません)"), names, rows)


def _trials(rows: Sequence[dict[str, Any]]) -> Listing:
    cells = [
        [
            f"{row['attribute']} / {row['pattern']}",
            row["source"],
            f"{row['right']:.1%}",
            f"{row['majority']:.1%}",
            *(f"{point['right']:.1%}" for point in row["curve"][:-1]),
        ]
        for row in rows
    ]
    shares = ("10%", "25%", "50%", "75%")
    names = (
        PATTERN,
        SOURCE,
        RIGHT,
        Text("majority", "最頻"),
        *(Text(f"surest {share}", f"上位 {share}") for share in shares),
    )
    title = Text("Hidden words put under the right word", "隠した語が正しい語に入った割合")
    return Listing(title, names, cells)
