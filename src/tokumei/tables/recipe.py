"""Recipes for tables: data, releases, attacks, measures, scorecard, report, files.

data:
  sample: {rows: 8333, seed: 1}      # or  file: people.csv
  qi: [age, sex]
  sa: [income]
releases:
  - name: five alike
    steps: [{method: mondrian, k: 5}]
scenario: {recipient: partner, knows: [age, sex]}
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, cast

from pydantic import Field

from tokumei.core.command import CommandResult, TextTable
from tokumei.core.errors import UsageError
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.json_types import as_json_text
from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.core.recipe import (
    Experiment,
    Recipe,
    ReleaseToAssess,
    derive_seed,
    require_unique_names,
)
from tokumei.core.releases_folder import (
    numbered_release_outputs,
    public_release_paths,
    to_file_name,
)
from tokumei.core.scenario import Scenario
from tokumei.files.atomic_write import Output
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.release_files import ReleaseRecord, several_releases_readme
from tokumei.files.writing import text_output
from tokumei.ledger.recipe_section import LedgerSpec, RecipeLedger
from tokumei.tables.anonymization.column_plan import ColumnPlan
from tokumei.tables.anonymization.in_memory import build_step
from tokumei.tables.audit.audit import Audit
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation, evaluate
from tokumei.tables.evaluation_suite import ALL, DEFAULT
from tokumei.tables.kind import TABLES
from tokumei.tables.recipe_data import DataSpec
from tokumei.tables.recipe_parts import AuditSpec, FigureSpec, StepsSpec
from tokumei.tables.report.audit_page import render_audit
from tokumei.tables.report.audit_sentences import audit_verdicts, question_and_answer
from tokumei.tables.report.report_page import render_report
from tokumei.tables.report.scorecard import FigureAxes, scorecard
from tokumei.tables.services.anonymize import ReleasedTable, anonymize_table, plan_source
from tokumei.tables.services.read_table import ReadTable, open_table_file
from tokumei.tables.services.requests import AnonymizeTableRequest, Steps, TableRequest

AUDITS_FOLDER = "audits"
"""The folder of audits: they name no person, but are the owner's to read first."""
SCORECARD_MEASURES = ("S1", "U5", "rows_kept")


class TableRecipe(Recipe):
    """A whole experiment on a table."""

    kind = TABLES
    groups = (DEFAULT, ALL)

    data: DataSpec
    releases: list[StepsSpec] = Field(min_length=1)
    audit: AuditSpec | None = None
    ledger: LedgerSpec | None = None
    figure: FigureSpec = Field(default_factory=FigureSpec)
    scenario: dict[str, Any] | None = None
    """Who gets the releases, what they may know, and the limits; None: as saved beside the file."""
    expected: bool = False
    """Exact expected rates of attacks instead of one draw."""

    def beside(self, folder: Path) -> Self:
        """The same with its files and its ledger looked for in a folder."""
        recipe = super().beside(folder)
        if self.ledger is None:
            return recipe
        return recipe.model_copy(update={"ledger": self.ledger.beside(folder)})

    def with_axes(self, x: str | None, y: str | None) -> Self:
        """The recipe with other axes of its chart."""
        figure = FigureSpec(x=x or self.figure.x, y=y or self.figure.y)
        recipe = self.model_copy(update={"figure": figure})
        recipe.require("--x, --y")
        return recipe

    def require_methods(self, where: str) -> None:
        """Fail unless names are unique, and every step's method takes its parameters."""
        require_unique_names([release.name for release in self.releases], where)
        for release in self.releases:
            for step in release.steps:
                build_step(step, f"{where}: {release.name}")
        if self.figure.x is not None:
            TABLES.measures.get(self.figure.x)
        if self.figure.y is not None:
            TABLES.attackers.get(self.figure.y)
        if self.scenario is not None:
            Scenario.from_dict(self.scenario)
        if self.ledger is not None:
            self.ledger.leaves([release.name for release in self.releases])
            self._require_person_column(where)

    def _require_person_column(self, where: str = "") -> str:
        """The column that names people for the ledger."""
        assert self.ledger is not None
        if name := self.ledger.id or next(iter(self.data.ids or ()), None):
            return name
        raise UsageError("{where}: ledger: needs `id`, the column that names people", where=where)

    def open(self) -> LoadedRecipeTable:
        """Read the recipe's table, with the roles saved beside its file."""
        scenario = None if self.scenario is None else Scenario.from_dict(self.scenario)
        if self.data.file is None:
            request = replace(self.data.request(), scenario=scenario)
            return LoadedRecipeTable(request, Table.of(self.sample()))
        opened = open_table_file(replace(self.data.request(self._steps), scenario=scenario))
        return LoadedRecipeTable(
            opened.request, opened.read, opened.notes, sha256_of_file(self.data.file)
        )

    @property
    def _steps(self) -> list[dict[str, object]]:
        """The steps of all releases."""
        return [step for release in self.releases for step in release.steps]

    def run(self) -> TableExperiment:
        """Make, verify, attack and measure every release."""
        opened, parts = self.open(), dict[str, Table]()
        if self.audit is not None:
            first = opened.plan(self.releases[0].steps)
            parts = self.audit.split(first.table, derive_seed(self.seed, "split"))
            opened = replace(opened, source=parts["members"])
        evaluations, audits = list[Evaluation](), dict[str, Audit]()
        sources, notes = dict[str, Table](), dict.fromkeys(opened.notes)
        for number, spec in enumerate(track_progress(self.releases, Message("releases"))):
            released = opened.release(spec.steps, derive_seed(self.seed, "release", number))
            sources[spec.name] = released.source
            notes |= dict.fromkeys(released.notes)
            evaluations.append(
                evaluate(
                    released.source,
                    released.release,
                    label=spec.name,
                    rng=Randomness(self.seed).child("evaluate", number),
                    cross=self.data.cross,
                    attacks=list(self.attacks),
                    measures=list(self.measures),
                    params=self.params,
                    expected=self.expected,
                )
            )
            if self.audit is not None:
                audit_seed = derive_seed(self.seed, "audit", number)
                audits[spec.name] = self.audit.of(released.release, parts, audit_seed)
        watch = None
        if self.ledger is not None:
            releases = {evaluation.label: evaluation.release for evaluation in evaluations}
            watch = RecipeLedger.of(
                self.ledger, TABLES, releases, sources, self._require_person_column()
            )
        return TableExperiment(self, evaluations, audits, watch, list(notes))


@dataclass(frozen=True, eq=False)
class LoadedRecipeTable:
    """The table of a recipe as it was read or made up, and the request that says what it is."""

    request: TableRequest
    source: ReadTable | Table
    notes: list[Message] = field(default_factory=list)
    sha256: str | None = None

    def plan(self, steps: Steps) -> ColumnPlan:
        """Plan what becomes of every column."""
        return plan_source(self._request(steps, None), self.source)

    def release(self, steps: Steps, seed: int | None) -> ReleasedTable:
        """Make and verify a release."""
        return anonymize_table(self._request(steps, seed), self.source)

    def _request(self, steps: Steps, seed: int | None) -> AnonymizeTableRequest:
        return AnonymizeTableRequest(table=self.request, steps=steps, seed=seed, sha256=self.sha256)


@dataclass(frozen=True, eq=False)
class TableExperiment(Experiment):
    """A recipe and the evaluation of each of its releases."""

    evaluations: list[Evaluation]
    audits: dict[str, Audit] = field(default_factory=dict)
    watch: RecipeLedger | None = None
    notes: list[Message] = field(default_factory=list)
    """How the table was read, and what became of its columns."""

    @property
    def scorecard_json(self) -> list[dict[str, object]]:
        """The scorecard as plain data."""
        return [row.as_json() for row in scorecard(self.evaluations)]

    def outputs(self, folder: Path) -> list[Output]:
        """Report, scorecard, releases and their secrets."""
        figure = cast(TableRecipe, self.recipe).figure
        html = render_report(
            self.evaluations,
            title=self.recipe.title_text,
            recipe=self.recipe.text(),
            axes=FigureAxes(figure.x, figure.y),
            assessed=self.assessed,
            lang=current_language(),
        )
        releases = {evaluation.label: evaluation.release for evaluation in self.evaluations}
        return [
            text_output(html, folder / "report.html"),
            text_output(as_json_text(self.scorecard_json), folder / "scorecard.json"),
            *self._audit_pages(folder),
            *numbered_release_outputs(TABLES, releases, folder),
            *several_releases_readme(len(releases), folder),
        ]

    def releases_to_assess(self) -> list[ReleaseToAssess]:
        """Its releases with the table they were made from."""
        return [
            ReleaseToAssess(evaluation.label, evaluation.case.original, evaluation.release)
            for evaluation in self.evaluations
        ]

    def leaving(self, folder: Path) -> AbstractContextManager[tuple[Path, ReleaseRecord] | None]:
        """The release that leaves by the recipe's ledger."""
        if self.watch is None:
            return super().leaving(folder)
        return self.watch.leaving(
            public_release_paths([evaluation.label for evaluation in self.evaluations], folder)
        )

    def _audit_pages(self, folder: Path) -> Iterator[Output]:
        for number, (label, audit_result) in enumerate(self.audits.items(), 1):
            name = f"{number:02d}-{to_file_name(label)}"
            yield text_output(
                render_audit(audit_result, lang=current_language()),
                folder / AUDITS_FOLDER / f"{name}.html",
            )
            yield text_output(
                as_json_text(audit_result.as_json()), folder / AUDITS_FOLDER / f"{name}.json"
            )

    def answer(self) -> CommandResult:
        """The scorecard, its warnings, and what its columns mean."""
        warnings = [
            Message("! {label}: {warning}", label=row.label, warning=warning)
            for row in scorecard(self.evaluations)
            for warning in row.warnings
        ]
        meaning = Message(
            "k: fewest rows with the same quasi-identifiers. U5: how far sensitive values moved. A "
            "blind guess finds {rate:percent}. Only the verdict takes the scenario into account.",
            rate=self.evaluations[0].strongest.baseline,
        )
        audit_lines = [
            Message("{name}: {sentence}", name=label, sentence=question_and_answer(*verdict))
            for label, audit_result in self.audits.items()
            for verdict in audit_verdicts(audit_result)
        ]
        data: dict[str, object] = {"scorecard": self.scorecard_json}
        if self.audits:
            data["audit"] = {
                label: audit_result.as_json() for label, audit_result in self.audits.items()
            }
        if self.watch is not None:
            data["ledger"] = self.watch.as_json()
            audit_lines += self.watch.words()
        names = (Message("rows kept"), Message("found by knowing the whole original"), "95 %")
        rows = [_scorecard_row(evaluation) for evaluation in self.evaluations]
        card = TextTable(Message("Scorecard"), ["", "k", "U5", *names], rows)
        return CommandResult(data, [card, *warnings, meaning, *audit_lines], self.notes)


def _scorecard_row(evaluation: Evaluation) -> list[str]:
    values = [
        evaluation.scores[name].value if name in evaluation.scores else None
        for name in SCORECARD_MEASURES
    ]
    strongest = evaluation.strongest
    attack = f"{strongest.attack} {format_percent(strongest.rate)}"
    figures = ("–" if value is None else f"{value:.3g}" for value in values)
    return [evaluation.label, *figures, attack, format_percent_range(strongest.low, strongest.high)]
