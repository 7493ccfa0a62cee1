"""`tokumei price patterns suggest`: proposes words for values missing from a price list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.price.inputs import read_people, read_price_list
from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.option_parsing import parse_pairs
from tokumei.core.shared_options import (
    encoding_option,
    refuse_overwriting_inputs,
    seed_option,
    sep_option,
)

if TYPE_CHECKING:
    from tokumei.apps.price.price_list import PriceList
    from tokumei.apps.price.word_similarity import Similarity
    from tokumei.apps.price.word_suggestions import Suggestion, SuggestionTrial
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

ATTRIBUTE, PATTERN = Message("attribute"), Message("pattern")
SOURCE, SCORE = Message("by"), Message("score")
RIGHT_SHARE = Message("right")


@dataclass(frozen=True, kw_only=True)
class SuggestPatternWords(Command):
    """Propose words for new values."""

    about: ClassVar = Message(
        "Suggest a word for every value that a pattern of the price list does not know: the one "
        "whose values are most alike, with a score. It is found by built-in hierarchies "
        "(occupations, prefectures) or your own, by your file of word vectors, by numbers or by "
        "characters; no network is used. Nothing is applied unless --apply names a new price "
        "list. --hide measures how often suggestions are right on words that the list knows."
    )
    examples: ClassVar = (
        "tokumei price patterns suggest --patterns prices.csv --data people.csv",
        "tokumei price patterns suggest --patterns prices.csv --hide 0.2 --seed 1",
    )

    patterns: str = option("the price list")
    data: str | None = option("a table with new values", default=None)
    word: list[str] = option("a new value: attribute=value", default=[])
    hierarchy: list[str] = option("attribute=FILE or attribute=NAME", default=[])
    embeddings: str | None = option("word vectors: lines of word x1 x2 …", default=None)
    least: float = option("the least score to propose", default=0.0)
    apply: str | None = option("a new price list with the suggestions", default=None)
    hide: float | None = option("test instead: share of the known words to hide", default=None)
    draws: int = option("how often words are hidden", default=100, least=1)
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Proposals, or how good they are."""
        prices = read_price_list(self.patterns, encoding=self.encoding)
        sources = {name: self._similarity_sources(prices, name) for name in prices.patterns}
        return (
            self._suggest_words(prices, sources)
            if self.hide is None
            else self._measure_suggestions(prices, sources)
        )

    def _suggest_words(
        self, prices: PriceList, sources: dict[str, dict[str, Similarity]]
    ) -> CommandResult:
        from tokumei.apps.price.word_suggestions import apply_suggestions, price_list_frame, suggest
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import frame_output

        all_suggestions = suggest(prices, self._new_values(prices), sources)
        suggestions = [
            suggestion if suggestion.score >= self.least else _clear_suggested_word(suggestion)
            for suggestion in all_suggestions
        ]
        notes = []
        if self.apply is not None:
            refuse_overwriting_inputs([self.patterns, self.data], [self.apply])
            write_all(
                [frame_output(price_list_frame(apply_suggestions(prices, suggestions)), self.apply)]
            )
            notes = [
                Message(
                    "{file}: {added} of {total} suggestions were added",
                    file=self.apply,
                    added=sum(suggestion.word is not None for suggestion in suggestions),
                    total=len(suggestions),
                )
            ]
        shown = [_suggestions_table(suggestions)] if suggestions else [NO_NEW_VALUES]
        return CommandResult([suggestion.as_json() for suggestion in suggestions], shown, notes)

    def _measure_suggestions(
        self, prices: PriceList, sources: dict[str, dict[str, Similarity]]
    ) -> CommandResult:
        from tokumei.apps.price.price_list import ORIGINAL_PATTERN
        from tokumei.apps.price.word_suggestions import suggestion_trial, word_by_value_name

        trials: list[tuple[dict[str, str], SuggestionTrial]] = []
        for name, patterns in prices.patterns.items():
            for pattern, words in patterns.items():
                known_words = word_by_value_name(prices, name, words)
                if pattern == ORIGINAL_PATTERN or round(len(known_words) * (self.hide or 0)) < 1:
                    continue
                for source, likeness in sources[name].items():
                    trial = suggestion_trial(
                        known_words,
                        {source: likeness},
                        hidden=self.hide or 0,
                        draws=self.draws,
                        seed=self.seed,
                    )
                    labels = {"attribute": name, "pattern": pattern, "source": source}
                    trials.append((labels, trial))
        rows = [{**labels, **trial.as_json()} for labels, trial in trials]
        return CommandResult(rows, [_trials_table(trials)])

    def _new_values(self, prices: PriceList) -> dict[str, list[str]]:
        from tokumei.apps.price.word_suggestions import find_missing_values

        if self.data is None and not self.word:
            raise UsageError("give --data, --word attribute=value, or --hide")
        new_values: dict[str, list[str]] = {}
        if self.data is not None:
            frame = read_people(self.data, sep=self.sep, encoding=self.encoding)
            new_values = find_missing_values(frame, prices)
        for assignment in self.word:
            ((name, value),) = parse_pairs([assignment], "--word").items()
            if name not in prices.patterns:
                raise UnknownNameError(ATTRIBUTE, name, prices.patterns)
            new_values.setdefault(name, []).append(value)
        return new_values

    def _similarity_sources(self, prices: PriceList, name: str) -> dict[str, Similarity]:
        from tokumei.apps.price.price_list import ORIGINAL_PATTERN
        from tokumei.apps.price.word_similarity import likenesses, read_word_vectors
        from tokumei.apps.price.word_suggestions import word_by_value_name

        known_words = list(
            word_by_value_name(prices, name, prices.patterns[name][ORIGINAL_PATTERN])
        )
        tree = parse_pairs(self.hierarchy, "--hierarchy").get(name)
        vectors = None if self.embeddings is None else read_word_vectors(self.embeddings)
        return likenesses(known_words, hierarchy=_load_hierarchy(name, tree), vectors=vectors)


NO_NEW_VALUES = Message("Every pattern has a word for every value.")


def _load_hierarchy(name: str, source: str | None) -> Hierarchy | None:
    from tokumei.tables.hierarchies.builtin import BUILTIN, builtin_hierarchy
    from tokumei.tables.hierarchies.files import read_hierarchy

    if source is None:
        return None
    return builtin_hierarchy(source) if source in BUILTIN else read_hierarchy(source, name)


def _clear_suggested_word(suggestion: Suggestion) -> Suggestion:
    return replace(suggestion, word=None, source=None, nearest=None)


def _suggestions_table(suggestions: Sequence[Suggestion]) -> TextTable:
    rows = [
        [
            suggestion.attribute,
            suggestion.value,
            suggestion.pattern,
            "?" if suggestion.word is None else suggestion.word,
            f"{suggestion.score:.2f}",
            suggestion.source or "",
            suggestion.nearest or "",
        ]
        for suggestion in suggestions
    ]
    names = (
        ATTRIBUTE,
        Message("new value"),
        PATTERN,
        Message("suggested word"),
        SCORE,
        SOURCE,
        Message("most alike"),
    )
    return TextTable(Message("Suggestions (not applied)"), names, rows)


def _trials_table(trials: Sequence[tuple[dict[str, str], SuggestionTrial]]) -> TextTable:
    cells = [
        [
            f"{labels['attribute']} / {labels['pattern']}",
            labels["source"],
            f"{trial.right:.1%}",
            f"{trial.majority:.1%}",
            *(f"{point.right:.1%}" for point in trial.curve[:-1]),
        ]
        for labels, trial in trials
    ]
    shares = ("10%", "25%", "50%", "75%")
    names = (
        PATTERN,
        SOURCE,
        RIGHT_SHARE,
        Message("majority"),
        *(Message("surest {share}", share=share) for share in shares),
    )
    title = Message("Hidden words assigned to the right word")
    return TextTable(title, names, cells)
