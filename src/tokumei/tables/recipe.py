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

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from tokumei.core.ask import Answer, Listing
from tokumei.core.figures import percent, percent_range
from tokumei.core.flow import make_release
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.recipe import (
    Experiment,
    Recipe,
    SourceSpec,
    derived_seed,
    numbered_outputs,
    require_unique,
)
from tokumei.core.text import Text, as_json_text, current_language
from tokumei.core.yaml_models import Strict
from tokumei.files.atomic import Output
from tokumei.files.containers import sha256
from tokumei.files.releases import several
from tokumei.files.writing import text_output
from tokumei.tables.data.account import Consent
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation, evaluate
from tokumei.tables.kind import TABLES
from tokumei.tables.releasing.local import build_step
from tokumei.tables.report.html import render_report
from tokumei.tables.report.scorecard import scorecard
from tokumei.tables.suite import ALL, DEFAULT

SHOWN = ("S1", "U5", "rows_kept")


class DataSpec(SourceSpec):
    """Where the table comes from and what its columns mean."""

    sep: str | None = None
    encoding: str = "auto"
    qi: list[str] | None = None
    sa: list[str] | None = None
    ids: list[str] | None = None
    kinds: dict[str, str] = Field(default_factory=dict)
    cross: list[str] = Field(default_factory=list)
    passed: list[str] = Field(default_factory=list)
    qi_anyway: list[str] = Field(default_factory=list)
    person: Literal["none"] | None = None

    @property
    def roles(self) -> dict[str, Any]:
        """What the columns mean."""
        return {"qi": self.qi, "sa": self.sa, "ids": self.ids, "kinds": self.kinds}

    @property
    def consent(self) -> Consent:
        """What was said about columns that may identify people."""
        return Consent(tuple(self.passed), qi=tuple(self.qi_anyway), person=self.person or "")


class StepsSpec(Strict):
    """One release: a name and the steps that make it."""

    name: str = Field(min_length=1)
    steps: list[dict[str, Any]] = Field(min_length=1)


class TableRecipe(Recipe):
    """A whole experiment on a table."""

    kind = TABLES
    groups = (DEFAULT, ALL)

    data: DataSpec
    releases: list[StepsSpec] = Field(min_length=1)

    def require_methods(self, where: str) -> None:
        """Fail unless names are unique, and every step's method takes its parameters."""
        require_unique([release.name for release in self.releases], where)
        for release in self.releases:
            for step in release.steps:
                build_step(step, f"{where}: {release.name}")

    def load(self) -> tuple[Table, str | None]:
        """The recipe's table, and the hash of its file."""
        data = self.data
        if data.file is None:
            return Table.of(self.sample(), **data.roles), None
        table = read_table(data.file, sep=data.sep, encoding=data.encoding, **data.roles)
        return table, sha256(data.file)

    def run(self) -> TableExperiment:
        """Make, verify, attack and measure every release."""
        original, digest = self.load()
        found = []
        for number, spec in enumerate(track(self.releases, Text("releases", "匿名加工データ"))):
            seed = derived_seed(self.seed, "release", number)
            release = make_release(
                TABLES, original, spec.steps, seed=seed, sha256=digest, consent=self.data.consent
            )
            found.append(
                evaluate(
                    original,
                    release,
                    label=spec.name,
                    rng=Randomness(self.seed).child("evaluate", number),
                    cross=self.data.cross,
                    attacks=list(self.attacks),
                    measures=list(self.measures),
                    params=self.params,
                )
            )
        return TableExperiment(self, original, found)


@dataclass(frozen=True, eq=False)
class TableExperiment(Experiment):
    """A recipe and the evaluation of each of its releases."""

    original: Table
    evaluations: list[Evaluation]

    @property
    def card(self) -> list[dict[str, Any]]:
        """The scorecard as plain data."""
        return [row.as_json() for row in scorecard(self.evaluations)]

    def outputs(self, folder: Path) -> list[Output]:
        """Report, scorecard, releases and their secrets."""
        html = render_report(
            self.evaluations,
            title=self.recipe.title_text,
            recipe=self.recipe.text(),
            lang=current_language(),
        )
        releases = {found.label: found.release for found in self.evaluations}
        return [
            text_output(html, folder / "report.html"),
            text_output(as_json_text(self.card), folder / "scorecard.json"),
            *numbered_outputs(TABLES, releases, folder),
            *several(len(releases), folder),
        ]

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
        return Answer({"scorecard": self.card}, [self._listing(), *warnings, meaning])

    def _listing(self) -> Listing:
        names = (Text("kept", "残った行"), Text("strongest attack", "最も強い攻撃"), "95 %")
        rows = [_row(found) for found in self.evaluations]
        return Listing(Text("Scorecard", "スコアカード"), ["", "k", "U5", *names], rows)


def _row(found: Evaluation) -> list[str]:
    values = [found.scores[name].value if name in found.scores else None for name in SHOWN]
    best = found.strongest
    attack = f"{best.attack} {percent(best.rate)}"
    figures = ("–" if value is None else f"{value:.3g}" for value in values)
    return [found.label, *figures, attack, percent_range(best.low, best.high)]
