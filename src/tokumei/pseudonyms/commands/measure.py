"""`tokumei measure utility` and `safety` of pseudonyms over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core import shared_options
from tokumei.core.command import Command, CommandResult, TextTable, chosen_methods, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.registry import split_params_by_method
from tokumei.pseudonyms.commands.anonymize import master_option
from tokumei.pseudonyms.services.requests import CheckPeriodsRequest, MeasurePeriodsRequest

if TYPE_CHECKING:
    from tokumei.core.measure import Score


@dataclass(frozen=True, kw_only=True)
class MeasurePseudonyms(Command):
    """Measure a release."""

    about: ClassVar = Message(
        "Pseudonyms over time: the judge's measures (0 means nothing is lost), and further ones by "
        "name. --as-paper measures as the paper's text says where the judge's programs differ."
    )
    examples: ClassVar = (
        "tokumei measure utility --format pws2017 --master M.csv --original T.csv --release AT.csv",
    )

    original: str = shared_options.original_option()
    release: str = shared_options.release_option()
    master: str | None = master_option(default=None)
    method: tuple[str, ...] = option(
        "default, all, or names: default,rfm", default=("default",), aliases=("measures", "methods")
    )
    set: dict[str, object] = shared_options.set_option()
    encoding: str = shared_options.encoding_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen measures, whose fields are options."""
        from tokumei.pseudonyms.measures.contest_measures import select_measures
        from tokumei.pseudonyms.registry import measures

        names = measures.names()
        if "method" in given:
            names = select_measures("master" in given, chosen_methods(given, ()))
        return {name: measures.get(name) for name in names}

    def answer(self) -> CommandResult:
        """Read both and measure."""
        from tokumei.pseudonyms.measures.contest_measures import select_measures
        from tokumei.pseudonyms.registry import measures
        from tokumei.pseudonyms.services.measure import measure_periods

        names = select_measures(self.master is not None, self.method)
        request = MeasurePeriodsRequest(
            original=self.original,
            release=self.release,
            master=self.master,
            methods=tuple(names),
            params=split_params_by_method(measures, names, self.set),
            encoding=self.encoding,
        )
        scores = measure_periods(request)
        return CommandResult(
            {name: score.value for name, score in scores.items()}, [_measures_table(scores)]
        )


def _measures_table(scores: Mapping[str, Score]) -> TextTable:
    from tokumei.pseudonyms.registry import measures

    rows = []
    for name, score in scores.items():
        measure = measures.get(name)
        chance = "" if score.baseline is None else f"{score.baseline:,.4g}"
        cells = [f"{score.value:,.6g}", chance, measure.unit.show()]
        rows.append([f"{name}  {measure.title.show()}", *cells])
    header = [Message("value"), Message("chance"), Message("unit")]
    return TextTable(Message("Measures"), ["", *header], rows)


@dataclass(frozen=True, kw_only=True)
class ScorePseudonymGuess(Command):
    """Score a guess."""

    about: ClassVar = Message("Pseudonyms over time: how much of the secret table a guess found.")
    examples: ClassVar = ("tokumei measure safety --format pws2017 --secret F.csv --guess Fh.csv",)

    secret: str = option("pws2017: the true table F")
    guess: str | None = shared_options.guess_option(default=None)
    guess_map: str | None = option(
        "pws2017, instead of --guess: lines period,pseudonym,customer", default=None
    )
    public: str | None = option("pws2017: the public rows S, for reid_rows", default=None)
    original: str | None = shared_options.original_option(default=None)
    encoding: str = shared_options.encoding_option()
    format: str = "pws2017"

    def answer(self) -> CommandResult:
        """Compare the guess with the truth."""
        from tokumei.pseudonyms.services.check import score_guess

        if (self.guess is None) == (self.guess_map is None):
            raise UsageError(
                "--format {format} needs either --guess or --guess-map", format=self.format
            )
        request = CheckPeriodsRequest(
            secret=self.secret,
            guesses=() if self.guess is None else (self.guess,),
            guess_map=self.guess_map,
            public=self.public,
            original=self.original,
            encoding=self.encoding,
        )
        scores = score_guess(request)
        values = {name: score.value for name, score in scores.items()}
        details = {name: score.as_json() for name, score in scores.items()}
        return CommandResult({**values, "details": details}, [_rates_table(scores)])


def _rates_table(scores: Mapping[str, Score]) -> TextTable:
    rows = [
        [name, f"{s.value:.6f}", f"{s.low:.4f}–{s.high:.4f}", f"{s.baseline:.3g}"]
        for name, s in scores.items()
    ]
    header = [Message("rate", context="a share"), Message("95 % interval"), Message("chance")]
    return TextTable(Message("Re-identification"), ["", *header], rows)
