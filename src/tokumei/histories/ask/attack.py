"""`tokumei attack` on a history: name the customers behind the pseudonyms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import encoding_option, seed_option, set_option, spare_sources
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class AttackHistory(Ask):
    """Run one attack on a public file and write its guess."""

    about: ClassVar = Text(
        "Histories: name the customer behind every pseudonym of a public file, knowing a history.",
        "履歴: 手元の履歴を知る攻撃者として、公開ファイルの仮名の顧客を推定します。",
    )
    examples: ClassVar = (
        "tokumei attack --format pws2018 --known T.csv --public A1.csv --method best --out F1.csv",
    )

    known: str = option("histories: what the attacker knows", "履歴: 攻撃者の知識")
    public: str = option("histories: the public file", "履歴: 公開ファイル")
    method: str = option("the attack", "攻撃の名前", default="best", aliases=("methods",))
    set: dict[str, Any] = set_option()
    answers: str = option(
        "which answers to give: all, most-confident or a number N",
        "答えの選び方: all、most-confident、または件数 N",
        default="all",
    )
    out: str | None = option("the guess to write", "推定の出力先", default=None)
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen attack, whose fields are options."""
        from tokumei.histories.registry import attackers

        names = [given["method"]] if "method" in given else attackers.names()
        return {name: attackers.get(name) for name in names}

    def answer(self) -> Answer:
        """Read, attack, write."""
        from tokumei.core.flow import run_attacks
        from tokumei.core.randomness import Randomness
        from tokumei.core.registry import params_of
        from tokumei.files.atomic import write_all
        from tokumei.files.contest_text import contest_output
        from tokumei.histories.challenge import HistoryChallenge
        from tokumei.histories.flow import chosen_answers
        from tokumei.histories.formats.pws2018 import Pws2018, read_public
        from tokumei.histories.kind import HISTORIES

        spare_sources((self.known, self.public), (self.out,))
        params = params_of(HISTORIES.attackers, [self.method], self.set)
        known = Pws2018(encoding=self.encoding).read(self.known)
        challenge = HistoryChallenge(read_public(self.public, encoding=self.encoding), known)
        rng = Randomness(self.seed)
        guesses = run_attacks(HISTORIES, challenge, [self.method], params=params, rng=rng)
        guess = chosen_answers(guesses[self.method], self.answers)
        answers = guess.frame()
        if self.out is not None:
            write_all([contest_output(answers, self.out)])
        expected = float(guess.confidence[guess.answered].sum())
        data = {"out": self.out, "method": self.method, "answered": answers.height}
        told = Text(
            f"{answers.height} people named; the attack expects {expected:.0f} of them to be right",
            f"{answers.height} 人を推定 (攻撃自身の見込みでは {expected:.0f} 人が正答)",
        )
        return Answer({**data, "expected_hits": expected}, [told])
