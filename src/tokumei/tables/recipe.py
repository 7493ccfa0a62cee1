"""Recipes for tables: data → releases → attacks, measures → scorecard, report, files.

data:
  sample: {rows: 8333, seed: 1}      # or  file: people.csv
  qi: [age, sex]
  sa: [income]
releases:
  - name: five alike
    steps: [{method: mondrian, k: 5}]
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, cast

from pydantic import Field

from tokumei.core.ask import Answer, Listing
from tokumei.core.errors import UsageError
from tokumei.core.figures import percent, percent_range
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.recipe import (
    Experiment,
    Recipe,
    derived_seed,
    file_name,
    numbered_outputs,
    public_paths,
    require_unique,
)
from tokumei.core.text import Text, as_json_text, current_language
from tokumei.files.atomic import Output
from tokumei.files.containers import sha256
from tokumei.files.releases import several
from tokumei.files.writing import text_output
from tokumei.ledger.recipe import LedgerSpec, Watch
from tokumei.tables.audit.audit import Audit
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation, evaluate
from tokumei.tables.kind import TABLES
from tokumei.tables.recipe_data import DataSpec
from tokumei.tables.recipe_parts import AuditSpec, FigureSpec, StepsSpec
from tokumei.tables.releasing.local import build_step
from tokumei.tables.releasing.opening import Opened
from tokumei.tables.report.audit_page import render_audit
from tokumei.tables.report.audit_words import verdicts
from tokumei.tables.report.html import render_report
from tokumei.tables.report.scorecard import FigureAxes, scorecard
from tokumei.tables.services.anonymize import ReleasedTable, plan_source, release_table
from tokumei.tables.services.read_table import ReadTable, open_table_file
from tokumei.tables.services.requests import AnonymizeTableRequest, Steps, TableRequest
from tokumei.tables.suite import ALL, DEFAULT

AUDITS = "audits"
"""The folder of audits: they name no person, but are the owner's to read first."""
SHOWN = ("S1", "U5", "rows_kept")


class TableRecipe(Recipe):
    """A whole experiment on a table."""

    kind = TABLES
    groups = (DEFAULT, ALL)

    data: DataSpec
    releases: list[StepsSpec] = Field(min_length=1)
    audit: AuditSpec | None = None
    ledger: LedgerSpec | None = None
    figure: FigureSpec = Field(default_factory=FigureSpec)
    expected: bool = False
    """Exact expected rates of attacks instead of one draw."""

    def beside(self, folder: Path) -> Self:
        """The same with its files and its ledger looked for in a folder."""
        found = super().beside(folder)
        if self.ledger is None:
            return found
        return found.model_copy(update={"ledger": self.ledger.beside(folder)})

    def with_axes(self, x: str | None, y: str | None) -> Self:
        """The recipe with other axes of its chart."""
        figure = FigureSpec(x=x or self.figure.x, y=y or self.figure.y)
        made = self.model_copy(update={"figure": figure})
        made.require("--x, --y")
        return made

    def require_methods(self, where: str) -> None:
        """Fail unless names are unique, and every step's method takes its parameters."""
        require_unique([release.name for release in self.releases], where)
        for release in self.releases:
            for step in release.steps:
                build_step(step, f"{where}: {release.name}")
        if self.figure.x is not None:
            TABLES.measures.get(self.figure.x)
        if self.figure.y is not None:
            TABLES.attackers.get(self.figure.y)
        if self.ledger is not None:
            self.ledger.leaves([release.name for release in self.releases])
            self._person(where)

    def _person(self, where: str = "") -> str:
        """The column that names people for the ledger."""
        assert self.ledger is not None
        if name := self.ledger.id or next(iter(self.data.ids or ()), None):
            return name
        raise UsageError(
            f"{where}: ledger: needs `id`, the column that names people",
            f"{where}: ledger: 人を表す列 `id` が必要です",
        )

    def open(self) -> RecipeTable:
        """Read the recipe's table, with the roles saved beside its file."""
        if self.data.file is None:
            return RecipeTable(self.data.request(), Table.of(self.sample()))
        opened = open_table_file(self.data.request(self._steps))
        return RecipeTable(opened.request, opened.read, opened.notes, sha256(self.data.file))

    @property
    def _steps(self) -> list[dict[str, Any]]:
        """The steps of all releases."""
        return [step for release in self.releases for step in release.steps]

    def run(self) -> TableExperiment:
        """Make, verify, attack and measure every release."""
        opened, parts = self.open(), dict[str, Table]()
        if self.audit is not None:
            first = opened.plan(self.releases[0].steps)
            parts = self.audit.split(first.table, derived_seed(self.seed, "split"))
            opened = replace(opened, source=parts["members"])
        evaluations, audits = list[Evaluation](), dict[str, Audit]()
        sources, notes = dict[str, Table](), dict.fromkeys(opened.notes)
        for number, spec in enumerate(track(self.releases, Text("releases", "匿名加工データ"))):
            released = opened.release(spec.steps, derived_seed(self.seed, "release", number))
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
                drawn = derived_seed(self.seed, "audit", number)
                audits[spec.name] = self.audit.of(released.release, parts, drawn)
        watch = None
        if self.ledger is not None:
            releases = {one.label: one.release for one in evaluations}
            watch = Watch.of(self.ledger, TABLES, releases, sources, self._person())
        return TableExperiment(self, evaluations, audits, watch, list(notes))


@dataclass(frozen=True, eq=False)
class RecipeTable:
    """The table of a recipe as it was read or made up, and the request that says what it is."""

    request: TableRequest
    source: ReadTable | Table
    notes: list[Text] = field(default_factory=list)
    sha256: str | None = None

    def plan(self, steps: Steps) -> Opened:
        """Plan what becomes of every column."""
        return plan_source(self._request(steps, None), self.source)

    def release(self, steps: Steps, seed: int | None) -> ReleasedTable:
        """Make and verify a release."""
        return release_table(self._request(steps, seed), self.source)

    def _request(self, steps: Steps, seed: int | None) -> AnonymizeTableRequest:
        return AnonymizeTableRequest(table=self.request, steps=steps, seed=seed, sha256=self.sha256)


@dataclass(frozen=True, eq=False)
class TableExperiment(Experiment):
    """A recipe and the evaluation of each of its releases."""

    evaluations: list[Evaluation]
    audits: dict[str, Audit] = field(default_factory=dict)
    watch: Watch | None = None
    notes: list[Text] = field(default_factory=list)
    """How the table was read, and what became of its columns."""

    @property
    def card(self) -> list[dict[str, Any]]:
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
            lang=current_language(),
        )
        releases = {found.label: found.release for found in self.evaluations}
        return [
            text_output(html, folder / "report.html"),
            text_output(as_json_text(self.card), folder / "scorecard.json"),
            *self._audit_pages(folder),
            *numbered_outputs(TABLES, releases, folder),
            *several(len(releases), folder),
        ]

    def leaving(self, folder: Path) -> AbstractContextManager[tuple[Path, Any] | None]:
        """The release that leaves by the recipe's ledger."""
        if self.watch is None:
            return super().leaving(folder)
        return self.watch.leaving(public_paths([one.label for one in self.evaluations], folder))

    def _audit_pages(self, folder: Path) -> Iterator[Output]:
        for number, (label, one) in enumerate(self.audits.items(), 1):
            name = f"{number:02d}-{file_name(label)}"
            yield text_output(
                render_audit(one, lang=current_language()), folder / AUDITS / f"{name}.html"
            )
            yield text_output(as_json_text(one.as_json()), folder / AUDITS / f"{name}.json")

    def answer(self) -> Answer:
        """The scorecard, its warnings, and what its columns mean."""
        warnings = [
            Text(f"! {row.label}: {warning.en}", f"! {row.label}: {warning.ja}")
            for row in scorecard(self.evaluations)
            for warning in row.warnings
        ]
        blind = percent(self.evaluations[0].strongest.baseline)
        meaning = Text(
            f"k: smallest class. U5: information loss. A blind guess finds {blind}.",
            f"k: 最小クラス。U5: 情報損失。当てずっぽうの成功率は {blind}。",
        )
        told = [
            Text(f"{label}: {question.en} {answer.en}", f"{label}: {question.ja}: {answer.ja}")
            for label, one in self.audits.items()
            for question, answer in verdicts(one)
        ]
        data: dict[str, Any] = {"scorecard": self.card}
        if self.audits:
            data["audit"] = {label: one.as_json() for label, one in self.audits.items()}
        if self.watch is not None:
            data["ledger"] = self.watch.as_json()
            told += self.watch.words()
        names = (Text("kept", "残った行"), Text("strongest attack", "最も強い攻撃"), "95 %")
        rows = [_row(found) for found in self.evaluations]
        card = Listing(Text("Scorecard", "スコアカード"), ["", "k", "U5", *names], rows)
        return Answer(data, [card, *warnings, meaning, *told], self.notes)


def _row(found: Evaluation) -> list[str]:
    values = [found.scores[name].value if name in found.scores else None for name in SHOWN]
    best = found.strongest
    attack = f"{best.attack} {percent(best.rate)}"
    figures = ("–" if value is None else f"{value:.3g}" for value in values)
    return [found.label, *figures, attack, percent_range(best.low, best.high)]
