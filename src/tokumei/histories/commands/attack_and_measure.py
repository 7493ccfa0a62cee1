"""`tokumei attack`, `measure utility` and `measure safety` of histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tokumei.core import shared_options
from tokumei.core.command import CommandResult, TextTable, chosen_methods, option
from tokumei.core.messages import Message
from tokumei.core.registry import split_params_by_method
from tokumei.histories.commands.history_file import ReleasedHistoryCommand, mapping_option
from tokumei.histories.services.requests import (
    AttackHistoryRequest,
    CheckHistoryRequest,
    MeasureHistoryRequest,
)


@dataclass(frozen=True, kw_only=True)
class AttackHistory(ReleasedHistoryCommand):
    """Run one attack on a public file and write its guess."""

    about: ClassVar = Message(
        "Histories: name the customer behind every pseudonym of a public file, knowing a history."
    )
    examples: ClassVar = (
        "tokumei attack --format pws2018 --known T.csv --public A1.csv --method best --out F1.csv",
        "tokumei attack --known sales.csv --public public.csv",
    )

    known: str = option("histories: what the attacker knows")
    public: str = option("histories: the public file")
    method: str = option("the attack", default="best", aliases=("methods",))
    set: dict[str, object] = shared_options.set_option()
    answers: str = option("which answers to give: all, most-confident or a number N", default="all")
    categories: str | None = mapping_option()
    out: str | None = option("the guess to write", default=None)
    seed: int | None = shared_options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen attack and the layout of the files, whose fields are options."""
        from tokumei.histories.registry import attackers

        names = chosen_methods(given, attackers.names())
        return {**super().methods(given), **{name: attackers.get(name) for name in names}}

    def answer(self) -> CommandResult:
        """Read, attack, write."""
        from tokumei.files.atomic_write import write_all
        from tokumei.histories.registry import attackers
        from tokumei.histories.services.attack import attack_history
        from tokumei.histories.services.read import layout_of_source

        shared_options.refuse_overwriting_inputs((self.known, self.public), (self.out,))
        layout_params, method_params = self.split_params()
        known = self.original_source(
            self.known, categories=self.categories, public=self.public, files=layout_params
        )
        request = AttackHistoryRequest(
            known=known,
            public=self.public,
            methods=(self.method,),
            params=split_params_by_method(attackers, [self.method], method_params),
            answers=self.answers,
            seed=self.seed,
        )
        guess = attack_history(request)[self.method]
        answers = guess.frame()
        if self.out is not None:
            write_all([layout_of_source(known).rows_output(answers, self.out)])
        expected = guess.expected_hits
        data = {"out": self.out, "method": self.method, "answered": answers.height}
        message = Message(
            "{count} person named; the attack expects {expected:.0f} to be right",
            plural="{count} people named; the attack expects {expected:.0f} of them to be right",
            count=answers.height,
            expected=expected,
        )
        return CommandResult({**data, "expected_hits": expected}, [message])


ALL_MEASURES = ("default", "all")


@dataclass(frozen=True, kw_only=True)
class MeasureHistory(ReleasedHistoryCommand):
    """Measure a release."""

    about: ClassVar = Message(
        "Histories: the contest's loss with its parts, and what the data is still good for. "
        "honest_loss (with --categories) is the loss against the real items."
    )
    examples: ClassVar = (
        "tokumei measure utility --format pws2018 --original T.csv --release A.csv",
    )

    original: str = shared_options.original_option()
    release: str = shared_options.release_option()
    method: tuple[str, ...] = option(
        "all, or names: loss,rfm", default=("all",), aliases=("measures", "methods")
    )
    set: dict[str, object] = shared_options.set_option()
    categories: str | None = mapping_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen measures and the layout of the files, whose fields are options."""
        from tokumei.histories.registry import measures

        chosen_names = chosen_methods(given, ALL_MEASURES)
        names = [name for name in chosen_names if name in measures.names()]
        chosen = {name: measures.get(name) for name in names or measures.names()}
        return {**super().methods(given), **chosen}

    def answer(self) -> CommandResult:
        """Read both, replace items by their categories first if asked to, and measure."""
        from tokumei.histories.registry import measures
        from tokumei.histories.services.measure import measure_history, measure_title

        names = [] if set(self.method) & set(ALL_MEASURES) else list(self.method)  # none: all
        registered = [name for name in names if name in measures.names()] or measures.names()
        layout_params, method_params = self.split_params()
        request = MeasureHistoryRequest(
            original=self.original_source(
                self.original, categories=self.categories, files=layout_params
            ),
            release=self.release,
            methods=tuple(names),
            params=split_params_by_method(measures, registered, method_params),
        )
        scores, history = measure_history(request)
        rows = [
            [f"{name}  {measure_title(name, history).show()}", f"{score.value:.6f}"]
            for name, score in scores.items()
        ]
        listing = TextTable(Message("Measures"), ["", Message("value")], rows)
        return CommandResult({name: score.value for name, score in scores.items()}, [listing])


@dataclass(frozen=True, kw_only=True)
class ScoreHistoryGuess(ReleasedHistoryCommand):
    """Score a guess."""

    about: ClassVar = Message(
        "Histories: how many answers of a guess are right, and whether that is beyond the "
        "threshold of the 2018 contest (R(n))."
    )
    examples: ClassVar = (
        "tokumei measure safety --format pws2018 --original T.csv --release A.csv --guess F1.csv",
    )

    original: str = shared_options.original_option()
    release: str = shared_options.release_option()
    guess: str = shared_options.guess_option()

    def answer(self) -> CommandResult:
        """Count the hits."""
        from tokumei.histories.services.check import score_guess

        source, guesses = self.original_source(self.original), (self.guess,)
        request = CheckHistoryRequest(original=source, release=self.release, guesses=guesses)
        hits = score_guess(request)
        message = Message(
            "{hits} of {tried} answers are right: beyond the threshold of the 2018 contest, "
            "{threshold}"
            if hits.unsafe
            else "{hits} of {tried} answers are right: not beyond the threshold of the 2018 "
            "contest, {threshold}",
            hits=hits.hits,
            tried=hits.tried,
            threshold=hits.threshold,
        )
        return CommandResult(hits.as_json(), [message])
