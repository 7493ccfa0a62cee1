"""`tokumei attack` and `check` of pseudonyms over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core import options
from tokumei.core.ask import Answer, Ask, Listing, fault_answer, option
from tokumei.core.errors import Fault, UsageError
from tokumei.core.registry import chosen_names, params_of
from tokumei.core.text import Text
from tokumei.pseudonyms.ask.make import master_option

if TYPE_CHECKING:
    from tokumei.core.measure import Score
    from tokumei.pseudonyms.attackers.sides import PeriodChallenge
    from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess


COMPARED = ("reid_all", "reid_active")
CURVE_RESULTS = ("curve.csv", "curve.json", "report.html")


@dataclass(frozen=True, kw_only=True)
class AttackPseudonyms(Ask):
    """Run one attack and write its guess, or all of them and compare their rates."""

    about: ClassVar = Text(
        "Pseudonyms over time: name every customer's pseudonym in every month. With --secret also "
        "the rates; --method all compares all attacks.",
        "期間ごとの仮名: 各月の各顧客の仮名を推定します。--secret があれば再識別率も示し、"
        "--method all ですべての攻撃を比べます。",
    )
    examples: ClassVar = (
        "tokumei attack --format pws2017 --master M.csv --known T25.csv --public S.csv "
        "--out Fh.csv",
        "tokumei attack --format pws2017 --master M.csv --known T25.csv --public S.csv "
        "--secret F.csv --method best,scoreboard --curve --out curve",
    )

    master: str = master_option()
    known: str = option("histories: what the attacker knows", "履歴: 攻撃者の知識")
    public: str = option("histories: the public file", "履歴: 公開ファイル")
    method: tuple[str, ...] = option(
        "the attack, several (a,b) or all", "攻撃の名前。複数 (a,b) や all も可", default=("best",),
        aliases=("methods",),
    )  # fmt: skip
    set: dict[str, Any] = options.set_option()
    secret: str | None = option(
        "pws2017: the true table F, for rates", "pws2017: 真の仮名表 F (率の計算用)", default=None
    )
    curve: bool = option(
        "pws2017: what the attack's confidence is worth: precision if it abstains, ROC, "
        "calibration (--out: a folder)",
        "pws2017: 攻撃の確信度の評価: 棄権時の適合率、ROC、較正 (--out はフォルダー)",
        default=False,
    )
    out: str | None = option("the guess to write", "推定の出力先", default=None)
    encoding: str = options.encoding_option()
    seed: int | None = options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen attacks, whose fields are options."""
        from tokumei.pseudonyms.registry import attackers

        names = chosen_names(attackers, given.get("method", ("all",)))
        return {name: attackers.get(name) for name in names}

    def answer(self) -> Answer:
        """Read, attack, score and write."""
        from tokumei.core.flow import run_attacks
        from tokumei.core.randomness import Randomness
        from tokumei.files.atomic import write_all
        from tokumei.pseudonyms.formats.pws2017 import table_output
        from tokumei.pseudonyms.kind import PSEUDONYMS

        names = chosen_names(PSEUDONYMS.attackers, self.method)
        if self.curve:
            return self._curves(names)
        self._require_sense(names)
        options.spare_sources((self.master, self.public, self.known, self.secret), (self.out,))
        params = params_of(PSEUDONYMS.attackers, names, self.set)
        rng = Randomness(self.seed)
        guesses = run_attacks(PSEUDONYMS, self._challenge(), names, params=params, rng=rng)
        rates = {name: self._rates(guess) for name, guess in guesses.items()}
        if self.out is not None:
            write_all([table_output(guesses[names[0]].table, self.out, secret=False)])
        parts = {name: _as_json(guess, rates[name]) for name, guess in guesses.items()}
        one = len(names) == 1
        data = {"out": self.out, "method": names[0], **parts[names[0]]} if one else parts
        return Answer(data, [_tell(guesses[names[0]]) if self.secret is None else _listing(rates)])

    def _require_sense(self, names: list[str]) -> None:
        if len(names) > 1 and self.secret is None:
            raise UsageError(
                "several attacks are compared by their rates, which need --secret",
                "複数の攻撃は率で比べるため --secret が必要です",
            )
        if len(names) > 1 and self.out is not None:
            raise UsageError(
                "several attacks give several guesses: name one attack to write its guess",
                "攻撃が複数なら推定も複数です。書き出すには攻撃を一つ指定してください",
            )

    def _curves(self, names: list[str]) -> Answer:
        """What confidence is worth, of every attack named."""
        from tokumei.core.randomness import Randomness
        from tokumei.files.atomic import write_all
        from tokumei.files.releases import make_folder
        from tokumei.pseudonyms.confidence import challenge_curves
        from tokumei.pseudonyms.formats.pws2017 import read_table
        from tokumei.pseudonyms.registry import attackers
        from tokumei.pseudonyms.report.confidence import confidence_outputs, curve_listings

        secret = options.needed(self.secret, "--secret", "--curve")
        if self.out is not None:
            results = (f"{self.out}/{name}" for name in CURVE_RESULTS)
            options.spare_sources((self.master, self.public, self.known, secret), results)
        params = params_of(attackers, names, self.set)
        seen = self._challenge()
        truth = read_table(secret, periods=seen.months.count, encoding=self.encoding)
        rng = Randomness(self.seed)
        curves = list(challenge_curves(seen, truth, names, params=params, rng=rng).values())
        if self.out is not None:
            write_all(confidence_outputs(curves, make_folder(self.out)))
        data = {"curves": [one.as_json() for one in curves]}
        return Answer(data, curve_listings(curves))

    def _challenge(self) -> PeriodChallenge:
        from tokumei.pseudonyms.attackers.sides import PeriodChallenge
        from tokumei.pseudonyms.data.rows import Months
        from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows

        customers = read_master(self.master, encoding=self.encoding).customers
        public = read_rows(self.public, encoding=self.encoding)
        known = read_rows(self.known, encoding=self.encoding)
        months = Months.spanning(public.days, known.days)
        return PeriodChallenge(public, known, customers, months)

    def _rates(self, guess: PeriodGuess) -> dict[str, Score]:
        """How much of the secret table was found; nothing without one."""
        from tokumei.pseudonyms.formats.pws2017 import read_table
        from tokumei.pseudonyms.measures.reid import Answers, reid_scores

        if self.secret is None:
            return {}
        truth = read_table(self.secret, periods=guess.table.periods, encoding=self.encoding)
        return reid_scores(Answers.of_table(guess.table, truth))


def _as_json(guess: PeriodGuess, rates: dict[str, Score]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "answered": int((guess.table.codes >= 0).sum()),
        "expected_hits": float(guess.confidence.sum()),
    }
    return found | {name: score.as_json() for name, score in rates.items()}


def _listing(rates: dict[str, dict[str, Score]]) -> Listing:
    """A line for each attack and rate, with interval and chance."""
    wanted = COMPARED if len(rates) > 1 else (*COMPARED, "reid_pairs")
    rows = []
    for name, scores in rates.items():
        for measure in wanted:
            score = scores[measure]
            interval, chance = f"{score.low:.4f}–{score.high:.4f}", f"{score.baseline:.3g}"
            rows.append([name, measure, f"{score.value:.4f}", interval, chance])
    header = [Text("rate", "割合"), Text("95 % interval", "95 % 区間"), Text("chance", "偶然")]
    return Listing(Text("Re-identification", "再識別率"), ["", "", *header], rows)


def _tell(guess: PeriodGuess) -> Text:
    named = guess.table.codes >= 0
    people, expected = int(named.any(axis=1).sum()), float(guess.confidence.sum())
    return Text(
        f"{int(named.sum())} pseudonyms of {people} customers named; the attack expects "
        f"{expected:.0f} to be right",
        f"{people} 人の {int(named.sum())} 個の仮名を推定 "
        f"(攻撃自身の見込みでは {expected:.0f} 個が正答)",
    )


@dataclass(frozen=True, kw_only=True)
class CheckPseudonyms(Ask):
    """Check a release with its original, or guesses."""

    about: ClassVar = Text(
        "Pseudonyms over time: a release and its --original against all rules, or each --guess "
        "against the --public rows.",
        "期間ごとの仮名: 匿名加工データと --original がすべての規則を満たすか、"
        "または各 --guess が公開行 (--public) に合うかを調べます。",
    )
    examples: ClassVar = (
        "tokumei check --format pws2017 --original T.csv --master M.csv --release AT.csv",
    )

    master: str = master_option()
    original: str | None = options.original_option(default=None)
    release: str | None = options.release_option(default=None)
    public: str | None = options.public_option()
    guess: list[str] = option("histories: guess file(s)", "履歴: 推定ファイル", default=[])
    encoding: str = options.encoding_option()
    format: str = "pws2017"

    def answer(self) -> Answer:
        """All violations of a release, or of each of the guess files."""
        return fault_answer(self._guess_faults() if self.guess else self._release_faults())

    def _release_faults(self) -> list[Fault]:
        from tokumei.files.contest_text import read_contest
        from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS
        from tokumei.pseudonyms.formats.pws2017 import Pws2017
        from tokumei.pseudonyms.verify.pws2017 import check_release

        release = options.needed(self.release, "--release", f"--format {self.format}")
        original = options.needed(self.original, "--original", f"--format {self.format}")
        options.refuse_beside("--release", public=self.public)
        history = Pws2017(master=self.master, encoding=self.encoding).read(original)
        return check_release(history, read_contest(release, PERIOD_COLUMNS, encoding=self.encoding))

    def _guess_faults(self) -> list[Fault]:
        """The months are the original's if it is given, else those of the public rows."""
        from tokumei.pseudonyms.data.rows import Months
        from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows, table_text
        from tokumei.pseudonyms.verify.pws2017 import check_guess_table

        options.refuse_beside("--guess", release=self.release)
        customers = read_master(self.master, encoding=self.encoding).customers
        seen = read_rows(options.needed(self.public, "--public", "--guess"), encoding=self.encoding)
        dated = seen if self.original is None else read_rows(self.original, encoding=self.encoding)
        periods = Months.spanning(dated.days).count
        return [
            fault
            for path in self.guess
            for fault in check_guess_table(
                seen, customers, table_text(path, periods, encoding=self.encoding), name=path
            )
        ]
