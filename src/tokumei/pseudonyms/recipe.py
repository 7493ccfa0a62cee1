"""Recipes for pseudonyms over time: a contest round, its scoreboard and report.

periods:
  sample: {rows: 6000, customers: 80, seed: 1}     # or  file: T.csv  and  master: M.csv
releases:
  - {name: monthly, method: pseudonyms, lifetime: 1}
knowledge: {alphas: [0.25, 0.5, 0.75, 1.0], prefix: {item: 2}}
attacks: [S1, best]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from pydantic import Field

from tokumei.core.command import CommandResult, TextTable
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import Message
from tokumei.core.recipe import (
    Experiment,
    Recipe,
    ReleaseSpec,
    SampleSpec,
    SourceSpec,
    require_unique_names,
)
from tokumei.core.releases_folder import numbered_release_outputs
from tokumei.core.yaml_models import StrictModel
from tokumei.files.atomic_write import Output
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.writing import text_output
from tokumei.pages.curve_page import curve_page_outputs
from tokumei.pseudonyms.contest_round import ContestRound, RoundScoreboard, ScoreboardEntry
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.formats.pws2017 import Pws2017
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.measures.contest_measures import ALL_GROUP, DEFAULT_GROUP
from tokumei.pseudonyms.registry import anonymizers
from tokumei.pseudonyms.report.scoreboard_page import scoreboard_page
from tokumei.pseudonyms.services.anonymize import read_periods
from tokumei.pseudonyms.services.requests import PeriodSource

RELEASE_LABEL = Message("release")


class PeriodSampleSpec(SampleSpec):
    """Generated look-alike data with customers."""

    rows: int = Field(default=6000, ge=1)
    customers: int | None = Field(default=None, ge=1)
    invoices: bool = False


class PeriodsSpec(SourceSpec):
    """Where the history and its customers come from."""

    file_keys = ("file", "master")

    sample: PeriodSampleSpec | None = None
    master: str | None = None
    encoding: str = "auto"

    def require(self, where: str) -> None:
        """Fail unless there is a sample, or else both files."""
        if len(self.files) != (2 if self.sample is None else 0):
            raise UsageError(
                "{where} needs either 'sample' or both 'file' and 'master'", where=where
            )


class PeriodReleaseSpec(ReleaseSpec):
    """One release; there is only one method so far, which need not be named."""

    method: str = "pseudonyms"


class KnowledgeSpec(StrictModel):
    """What attackers know: shares of the rows, each drawn anew, and how well."""

    alphas: list[float] = Field(default_factory=lambda: [0.25, 0.5, 0.75, 1.0], min_length=1)
    people: float = 1.0
    first: str | None = None
    last: str | None = None
    prefix: dict[str, int] = Field(default_factory=lambda: {"item": 2})
    coarse: dict[str, str | float] = Field(default_factory=dict)
    noise: dict[str, float] = Field(default_factory=dict)
    wrong: float = 0.0

    @property
    def quality(self) -> PartialKnowledge:
        """The knowledge without its share of the rows."""
        return PartialKnowledge(**self.model_dump(exclude={"alphas"}))


class PeriodRecipe(Recipe):
    """A whole contest's round."""

    kind = PSEUDONYMS
    groups = (DEFAULT_GROUP, ALL_GROUP)

    periods: PeriodsSpec
    releases: list[PeriodReleaseSpec] = Field(min_length=1)
    knowledge: KnowledgeSpec = KnowledgeSpec()
    publish: str | None = None
    """The release whose files are written; releases are made to be compared otherwise."""

    def require_methods(self, where: str) -> None:
        """Fail unless names are unique, methods take their parameters and knowledge is possible."""
        require_unique_names([release.name for release in self.releases], where)
        for release_spec in self.releases:
            anonymizers.build(
                release_spec.method, release_spec.params, where=f"{where}: {release_spec.name}"
            )
        names = [release.name for release in self.releases]
        if self.publish is not None and self.publish not in names:
            raise UnknownNameError(RELEASE_LABEL, self.publish, names, where=f"{where}: publish")
        for alpha in self.knowledge.alphas:
            replace(self.knowledge.quality, alpha=alpha)

    def load(self) -> PeriodHistory:
        """The recipe's history with its customers."""
        spec = self.periods
        if spec.sample is not None:
            history: PeriodHistory = self.sample()
            return history
        layout = Pws2017(master=str(spec.master), encoding=spec.encoding)
        return read_periods(PeriodSource(data=str(spec.file), layout=layout))

    def run(self) -> PeriodExperiment:
        """Make every release, attack and measure it."""
        releases = {
            release_spec.name: anonymizers.build(release_spec.method, release_spec.params)
            for release_spec in self.releases
        }
        contest_round = ContestRound(
            alphas=self.knowledge.alphas,
            knowledge=self.knowledge.quality,
            attacks=list(self.attacks),
            measures=list(self.measures),
            params=self.params,
        )
        digest = None if self.periods.file is None else sha256_of_file(self.periods.file)
        board = contest_round.play(self.load(), releases, seed=self.seed, sha256=digest)
        return PeriodExperiment(self, board)


@dataclass(frozen=True, eq=False)
class PeriodExperiment(Experiment):
    """A recipe and the scoreboard it gave."""

    board: RoundScoreboard

    def outputs(self, folder: Path) -> list[Output]:
        """Scoreboard, charts and report; the release that is published, and its secrets."""
        page = scoreboard_page(self.board, title=self.recipe.title_text)
        published = cast(PeriodRecipe, self.recipe).publish
        chosen = {
            entry.name: entry.release
            for entry in self.board.entries
            if entry.name == published and entry.release is not None
        }
        return [
            *numbered_release_outputs(PSEUDONYMS, chosen, folder),
            text_output(as_json_text(self.board.as_json()), folder / "scoreboard.json"),
            *curve_page_outputs(page, folder),
        ]

    def answer(self) -> CommandResult:
        """The scoreboard, the best release first, and what its columns mean."""
        meaning = Message(
            "U: worst utility loss. α: customers found in every month, knowing that share of the "
            "rows. S: the mean over α for the strongest attack. Lower is better."
        )
        return CommandResult(
            {"scoreboard": self.board.as_json()}, [self._scoreboard_table(), meaning]
        )

    def _scoreboard_table(self) -> TextTable:
        known = [f"α={alpha:g}" for alpha in self.board.alphas]
        last_columns = (Message("attack"), Message("total", context="a score"))
        header: list[Message | str] = ["", "U", *known, "S", *last_columns]
        ranked = sorted(self.board.entries, key=lambda entry: entry.total)
        rows = [_entry_cells(entry, self.board.alphas) for entry in ranked]
        return TextTable(Message("Scoreboard"), header, rows)


def _entry_cells(entry: ScoreboardEntry, alphas: Sequence[float]) -> list[str]:
    rates = [f"{entry.highest_rate(alpha).value:.3f}" for alpha in alphas]
    figures = [f"{entry.worst_utility_loss:.4f}", *rates, f"{entry.risk:.4f}", entry.strongest]
    return [entry.name, *figures, f"{entry.total:.4f}"]
