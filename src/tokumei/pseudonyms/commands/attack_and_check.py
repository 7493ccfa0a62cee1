"""`tokumei attack` and `check` of pseudonyms over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core import command, shared_options
from tokumei.core.command import Command, CommandResult, TextTable, option, violations_result
from tokumei.core.errors import UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.registry import resolve_method_names, split_params_by_method
from tokumei.pseudonyms.commands.anonymize import master_option
from tokumei.pseudonyms.services.requests import AttackPeriodsRequest, CheckPeriodsRequest

if TYPE_CHECKING:
    from tokumei.core.measure import Score
    from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess


COMPARED_RATES = ("reid_all", "reid_active")
CURVE_FILES = ("curve.csv", "curve.json", "report.html")


@dataclass(frozen=True, kw_only=True)
class AttackPseudonyms(Command):
    """Run one attack and write its guess, or all of them and compare their rates."""

    about: ClassVar = Message(
        "Pseudonyms over time: name every customer's pseudonym in every month. With --secret also "
        "the rates; --method all compares all attacks."
    )
    examples: ClassVar = (
        "tokumei attack --format pws2017 --master M.csv --known T25.csv --public S.csv "
        "--out Fh.csv",
        "tokumei attack --format pws2017 --master M.csv --known T25.csv --public S.csv "
        "--secret F.csv --method best,scoreboard --curve --out curve",
    )

    master: str = master_option()
    known: str = option("histories: what the attacker knows")
    public: str = option("histories: the public file")
    method: tuple[str, ...] = option(
        "the attack, several (a,b) or all", default=("best",),
        aliases=("methods",),
    )  # fmt: skip
    set: dict[str, object] = shared_options.set_option()
    secret: str | None = option("pws2017: the true table F, for rates", default=None)
    curve: bool = option(
        "pws2017: what the attack's confidence is worth: precision if it abstains, ROC, "
        "calibration (--out: a folder)",
        default=False,
    )
    out: str | None = option("the guess to write", default=None)
    encoding: str = shared_options.encoding_option()
    seed: int | None = shared_options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen attacks, whose fields are options."""
        from tokumei.pseudonyms.registry import attackers

        names = resolve_method_names(attackers, command.chosen_methods(given, ["all"]))
        return {name: attackers.get(name) for name in names}

    def answer(self) -> CommandResult:
        """Read, attack, score and write."""
        from tokumei.files.atomic_write import write_all
        from tokumei.pseudonyms.formats.pws2017 import table_output
        from tokumei.pseudonyms.registry import attackers
        from tokumei.pseudonyms.services.attack import attack_periods

        names = resolve_method_names(attackers, self.method)
        if self.curve:
            return self._confidence_curves(names)
        self._require_compatible_options(names)
        shared_options.refuse_overwriting_inputs(
            (self.master, self.public, self.known, self.secret), (self.out,)
        )
        attacked = attack_periods(self._request(names))
        guesses, rates = attacked.guesses, attacked.rates
        if self.out is not None:
            write_all([table_output(guesses[names[0]].table, self.out, secret=False)])
        parts = {
            name: _guess_as_json(guess, rates.get(name, {})) for name, guess in guesses.items()
        }
        is_single = len(names) == 1
        data = {"out": self.out, "method": names[0], **parts[names[0]]} if is_single else parts
        return CommandResult(
            data,
            [_describe_guess(guesses[names[0]]) if self.secret is None else _rates_table(rates)],
        )

    def _require_compatible_options(self, names: list[str]) -> None:
        if len(names) > 1 and self.secret is None:
            raise UsageError("several attacks are compared by their rates, which need --secret")
        if len(names) > 1 and self.out is not None:
            raise UsageError(
                "several attacks give several guesses: name one attack to write its guess"
            )

    def _confidence_curves(self, names: list[str]) -> CommandResult:
        """What confidence is worth, of every attack named."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.pseudonyms.report.confidence_page import confidence_outputs, curve_tables
        from tokumei.pseudonyms.services.attack import curve_attacks

        secret = shared_options.require_option(self.secret, "--secret", "--curve")
        if self.out is not None:
            results = (f"{self.out}/{name}" for name in CURVE_FILES)
            shared_options.refuse_overwriting_inputs(
                (self.master, self.public, self.known, secret), results
            )
        curves = list(curve_attacks(self._request(names)).values())
        if self.out is not None:
            write_all(confidence_outputs(curves, make_folder(self.out)))
        data = {"curves": [curve.as_json() for curve in curves]}
        return CommandResult(data, curve_tables(curves))

    def _request(self, names: list[str]) -> AttackPeriodsRequest:
        from tokumei.pseudonyms.registry import attackers

        return AttackPeriodsRequest(
            public=self.public,
            known=self.known,
            master=self.master,
            truth=self.secret,
            methods=tuple(names),
            params=split_params_by_method(attackers, names, self.set),
            seed=self.seed,
            encoding=self.encoding,
        )


def _guess_as_json(guess: PeriodGuess, rates: dict[str, Score]) -> JsonObject:
    return {
        "answered": int((guess.table.codes >= 0).sum()),
        "expected_hits": float(guess.confidence.sum()),
        **{name: score.as_json() for name, score in rates.items()},
    }


def _rates_table(rates: dict[str, dict[str, Score]]) -> TextTable:
    """A line for each attack and rate, with interval and chance."""
    shown_rates = COMPARED_RATES if len(rates) > 1 else (*COMPARED_RATES, "reid_pairs")
    rows = []
    for name, scores in rates.items():
        for measure in shown_rates:
            score = scores[measure]
            interval, chance = f"{score.low:.4f}–{score.high:.4f}", f"{score.baseline:.3g}"
            rows.append([name, measure, f"{score.value:.4f}", interval, chance])
    header = [Message("rate", context="a share"), Message("95 % interval"), Message("chance")]
    return TextTable(Message("Re-identification"), ["", "", *header], rows)


def _describe_guess(guess: PeriodGuess) -> Message:
    has_answer = guess.table.codes >= 0
    people, expected = int(has_answer.any(axis=1).sum()), float(guess.confidence.sum())
    return Message(
        "{answers} pseudonyms of {people} customers named; the attack expects {expected:.0f} to be "
        "right",
        answers=int(has_answer.sum()),
        people=people,
        expected=expected,
    )


@dataclass(frozen=True, kw_only=True)
class CheckPseudonyms(Command):
    """Check a release with its original, or guesses."""

    about: ClassVar = Message(
        "Pseudonyms over time: a release and its --original against all rules, or each --guess "
        "against the --public rows."
    )
    examples: ClassVar = (
        "tokumei check --format pws2017 --original T.csv --master M.csv --release AT.csv",
    )

    master: str = master_option()
    original: str | None = shared_options.original_option(default=None)
    release: str | None = shared_options.release_option(default=None)
    public: str | None = shared_options.public_option()
    guess: list[str] = option("histories: guess file(s)", default=[])
    encoding: str = shared_options.encoding_option()
    format: str = "pws2017"

    def answer(self) -> CommandResult:
        """All violations of a release, or of each of the guess files."""
        from tokumei.pseudonyms.services.check import check_guesses, check_release

        request = CheckPeriodsRequest(
            master=self.master,
            original=self.original,
            release=self.release or "",
            public=self.public,
            guesses=tuple(self.guess),
            encoding=self.encoding,
        )
        if self.guess:
            shared_options.refuse_unused_options("--guess", release=self.release)
            shared_options.require_option(self.public, "--public", "--guess")
            return violations_result(check_guesses(request))
        shared_options.require_option(self.release, "--release", f"--format {self.format}")
        shared_options.require_option(self.original, "--original", f"--format {self.format}")
        shared_options.refuse_unused_options("--release", public=self.public)
        return violations_result(check_release(request))
