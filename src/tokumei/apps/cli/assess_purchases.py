"""`tokumei assess` of purchase histories and of pseudonyms over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core import shared_options
from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message
from tokumei.histories.commands.history_file import ReleasedHistoryCommand, mapping_option
from tokumei.pseudonyms.commands.anonymize import master_option

if TYPE_CHECKING:
    from tokumei.assessment.assessment import Assessment
    from tokumei.core.scenario import Scenario

release_option = partial(
    option, "the release: a file (histories: row-aligned, or public with --truth)"
)
truth_option = partial(option, "who is behind each pseudonym", default=None)
purchases_option = partial(
    option,
    "histories: which purchases of a person the recipient may know: a number, month (all of one "
    "month), all, totals, earlier (the first half of the time); several: 3,totals (default: all "
    "for the public, else 3)",
    default=None,
)


@dataclass(frozen=True, kw_only=True)
class AssessPurchasesCommand(Command):
    """What both kinds of purchases ask about a release and its recipient."""

    original: str = shared_options.original_option()
    release: str = release_option()
    truth: str | None = truth_option()
    recipient: Literal["public", "partner", "inside"] | None = option(
        "who gets the release: public, partner or inside (default: as saved beside the original or "
        "told by the release, else partner)",
        default=None,
        name="for",
    )
    knows: tuple[str, ...] | None = option(
        "what the recipient may know of a person: a,b; roughly: date~30d, amount~10%, postcode~3 "
        "(first characters), city~up (default: every column for the public, else the "
        "quasi-identifiers)",
        default=None,
    )
    purchases: tuple[str, ...] | None = purchases_option()
    holds: tuple[str, ...] | None = option(
        "columns that the recipient has already: a,b", default=None
    )
    at_once: int | None = option("how many columns are known at once", default=None, least=1)
    population: int | None = option(
        "the recipient does not know who is in the data: how many people it could be",
        default=None,
        least=1,
    )
    limit: dict[str, float] = option(
        "limits: identified=0, guessed_right=0.2, smallest_class=5", default={}
    )
    keep: dict[str, float] = option("columns that weigh more: amount=3", default={})
    report: str | None = option("write the hand-over report here: .html", default=None)
    no_remedies: bool = option("do not measure what would help", default=False)

    def answer(self) -> CommandResult:
        """Assess, and show the verdict first."""
        from tokumei.assessment.text_view import assessment_parts

        if self.report is not None:
            sources = [self.original, self.release, *([self.truth] if self.truth else [])]
            shared_options.refuse_overwriting_inputs(sources, (self.report,))
        assessment = self.assess()
        if self.report is not None:
            assessment.report(self.report, release=Path(self.release).name)
        return CommandResult(
            assessment.to_dict(),
            assessment_parts(assessment),
            assessment.notes,
            code=assessment.exit_code,
        )

    def assess(self) -> Assessment:
        """The assessment that these options ask for."""
        raise NotImplementedError

    def scenario(self) -> Scenario:
        """What the manifest of the release says, with what the options say in its place."""
        from tokumei.assessment.saved_scenario import find_scenario

        return find_scenario(self.original, self.release).changed(
            recipient=self.recipient,
            knows=self.knows,
            purchases=self.purchases,
            limits=self.limit,
            holds=self.holds,
            at_once=self.at_once,
            population=self.population,
            knows_membership=None if self.population is None else "journalist",
            keep=self.keep or None,
        )


@dataclass(frozen=True, kw_only=True)
class AssessHistoryRelease(AssessPurchasesCommand, ReleasedHistoryCommand):
    """Judge a release of a purchase history."""

    about: ClassVar = Message(
        "Histories: the same; people are customers, and what the recipient may know are purchases."
    )
    examples: ClassVar = (
        "tokumei assess --format pws2018 --original T.csv --release A.csv --for partner",
    )

    categories: str | None = mapping_option()

    def assess(self) -> Assessment:
        """By the file that has all rows in order, or the public one and who is who."""
        from tokumei.assessment.assess_history import assess_history
        from tokumei.assessment.open_history import AssessHistory

        source = self.original_source(
            self.original, categories=self.categories, public=self.release
        )
        return assess_history(
            AssessHistory(
                original=source,
                release=self.release,
                truth=self.truth,
                scenario=self.scenario(),
                remedies=not self.no_remedies,
            )
        )


@dataclass(frozen=True, kw_only=True)
class AssessPeriodRelease(AssessPurchasesCommand):
    """Judge a release under changing pseudonyms."""

    about: ClassVar = Message(
        "Pseudonyms over time: the same; whoever finds a pseudonym finds the person of its month."
    )
    examples: ClassVar = (
        "tokumei assess --format pws2017 --original T.csv --master M.csv --release S.csv "
        "--truth F.csv --for partner",
    )

    master: str = master_option()
    encoding: str = shared_options.encoding_option()
    format: str = "pws2017"

    def assess(self) -> Assessment:
        """By the file that has all rows in order, or the public one and the secret table."""
        from tokumei.assessment.assess_periods import assess_periods
        from tokumei.assessment.open_periods import AssessPeriods
        from tokumei.pseudonyms.formats.pws2017 import Pws2017
        from tokumei.pseudonyms.services.requests import PeriodSource

        layout = Pws2017(master=self.master, encoding=self.encoding)
        return assess_periods(
            AssessPeriods(
                original=PeriodSource(data=self.original, layout=layout),
                release=self.release,
                truth=self.truth,
                scenario=self.scenario(),
                remedies=not self.no_remedies,
                encoding=self.encoding,
            )
        )
