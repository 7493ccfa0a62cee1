"""`tokumei attack`, `measure utility` and `measure safety` of histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tokumei.core import options
from tokumei.core.ask import Answer, Listing, option
from tokumei.core.registry import params_of
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import ReleasedHistory, mapping_option
from tokumei.histories.services.requests import (
    AttackHistoryRequest,
    CheckHistoryRequest,
    MeasureHistoryRequest,
)


@dataclass(frozen=True, kw_only=True)
class AttackHistory(ReleasedHistory):
    """Run one attack on a public file and write its guess."""

    about: ClassVar = Text(
        "Histories: name the customer behind every pseudonym of a public file, knowing a history.",
        "履歴: 手元の履歴を知る攻撃者として、公開ファイルの仮名の顧客を推定します。",
    )
    examples: ClassVar = (
        "tokumei attack --format pws2018 --known T.csv --public A1.csv --method best --out F1.csv",
        "tokumei attack --known sales.csv --public public.csv  # made by anonymize history",
    )

    known: str = option("histories: what the attacker knows", "履歴: 攻撃者の知識")
    public: str = option("histories: the public file", "履歴: 公開ファイル")
    method: str = option("the attack", "攻撃の名前", default="best", aliases=("methods",))
    set: dict[str, Any] = options.set_option()
    answers: str = option(
        "which answers to give: all, most-confident or a number N",
        "答えの選び方: all、most-confident、または件数 N",
        default="all",
    )
    categories: str | None = mapping_option()
    out: str | None = option("the guess to write", "推定の出力先", default=None)
    seed: int | None = options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen attack and the layout of the files, whose fields are options."""
        from tokumei.histories.registry import attackers

        names = [given["method"]] if "method" in given else attackers.names()
        return {**super().methods(given), **{name: attackers.get(name) for name in names}}

    def answer(self) -> Answer:
        """Read, attack, write."""
        from tokumei.files.atomic import write_all
        from tokumei.histories.registry import attackers
        from tokumei.histories.services.attack import attack_history
        from tokumei.histories.services.read import layout_of_source

        options.spare_sources((self.known, self.public), (self.out,))
        files, rest = self.parted()
        known = self.original_source(
            self.known, categories=self.categories, public=self.public, files=files
        )
        request = AttackHistoryRequest(
            known=known,
            public=self.public,
            methods=(self.method,),
            params=params_of(attackers, [self.method], rest),
            answers=self.answers,
            seed=self.seed,
        )
        guess = attack_history(request)[self.method]
        answers = guess.frame()
        if self.out is not None:
            write_all([layout_of_source(known).rows_output(answers, self.out)])
        expected = guess.expected_hits
        data = {"out": self.out, "method": self.method, "answered": answers.height}
        told = Text(
            f"{answers.height} people named; the attack expects {expected:.0f} of them to be right",
            f"{answers.height} 人を推定 (攻撃自身の見込みでは {expected:.0f} 人が正答)",
        )
        return Answer({**data, "expected_hits": expected}, [told])


ALL = ("default", "all")


@dataclass(frozen=True, kw_only=True)
class MeasureHistory(ReleasedHistory):
    """Measure a release."""

    about: ClassVar = Text(
        "Histories: the contest's loss with its parts, and what the data is still good for. "
        "honest_loss (with --categories) is the loss against the real items.",
        "履歴: コンテストの損失とその内訳、データの使い道ごとの指標。--categories があれば、"
        "元の商品に対する損失 honest_loss も測ります。",
    )
    examples: ClassVar = (
        "tokumei measure utility --format pws2018 --original T.csv --release A.csv",
    )

    original: str = options.original_option()
    release: str = options.release_option()
    method: tuple[str, ...] = option(
        "all, or names: loss,rfm",
        "all または名前: loss,rfm",
        default=("all",),
        aliases=("measures", "methods"),
    )
    set: dict[str, Any] = options.set_option()
    categories: str | None = mapping_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen measures and the layout of the files, whose fields are options."""
        from tokumei.histories.registry import measures

        named = [name for name in given.get("method", ALL) if name in measures.names()]
        chosen = {name: measures.get(name) for name in named or measures.names()}
        return {**super().methods(given), **chosen}

    def answer(self) -> Answer:
        """Read both, replace items by their categories first if asked to, and measure."""
        from tokumei.histories.registry import measures
        from tokumei.histories.services.measure import measure_history, measure_title

        names = [] if set(self.method) & set(ALL) else list(self.method)  # none: all
        registered = [name for name in names if name in measures.names()] or measures.names()
        files, rest = self.parted()
        request = MeasureHistoryRequest(
            original=self.original_source(self.original, categories=self.categories, files=files),
            release=self.release,
            methods=tuple(names),
            params=params_of(measures, registered, rest),
        )
        scores, history = measure_history(request)
        rows = [
            [f"{name}  {measure_title(name, history).show()}", f"{score.value:.6f}"]
            for name, score in scores.items()
        ]
        listing = Listing(Text("Measures", "指標"), ["", Text("value", "値")], rows)
        return Answer({name: score.value for name, score in scores.items()}, [listing])


@dataclass(frozen=True, kw_only=True)
class SafetyOfHistory(ReleasedHistory):
    """Score a guess."""

    about: ClassVar = Text(
        "Histories: how many answers of a guess are right, and whether that proves the release "
        "unsafe (R(n)).",
        "履歴: 推定の正答数と、それが安全でないことの証拠になるか (R(n))。",
    )
    examples: ClassVar = (
        "tokumei measure safety --format pws2018 --original T.csv --release A.csv --guess F1.csv",
    )

    original: str = options.original_option()
    release: str = options.release_option()
    guess: str = options.guess_option()

    def answer(self) -> Answer:
        """Count the hits."""
        from tokumei.histories.services.check import score_guess

        source, guesses = self.original_source(self.original), (self.guess,)
        request = CheckHistoryRequest(original=source, release=self.release, guesses=guesses)
        found = score_guess(request)
        verdict = Text(
            "this proves the release unsafe", "この匿名加工データが安全でないことの証拠になります"
        )
        if not found.unsafe:
            verdict = Text(
                "this does not prove the release unsafe",
                "安全でないことの証拠にはなりません (安全の証明でもありません)",
            )
        told = Text(
            f"{found.hits} of {found.tried} answers are right (threshold: {found.threshold}); "
            f"{verdict.en}",
            f"{found.tried} 件中 {found.hits} 件が正答 (しきい値 {found.threshold} 件)。"
            f"{verdict.ja}",
        )
        return Answer(found.as_json(), [told])
