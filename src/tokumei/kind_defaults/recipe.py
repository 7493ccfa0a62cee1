"""Default recipe of a kind of data.

ratings:                                  # the kind's name
  sample: {rows: 1000, seed: 1}           # or  file: r.csv, format: …  and options of the format
releases:
  - {name: rounded, method: round, to: 5} # a method and its parameters
attacks: [nearest]
measures: {mean_error: {}}

`tokumei run` writes the releases, their secrets and `scorecard.json`, and prints the scorecard. The
kind's registries, its formats (`read`) and its flow are all it needs: attacks give rates with
`rate`, `low`, `high` and `as_json`, measures scores with `value`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ConfigDict, Field, create_model

from tokumei.core.attack_rates import AttackRate
from tokumei.core.command import CommandResult, TextTable
from tokumei.core.data_kind import DataKind, Release
from tokumei.core.errors import UnknownNameError
from tokumei.core.json_types import JsonObject, as_json_text
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.recipe import (
    Experiment,
    Recipe,
    ReleaseSpec,
    SourceSpec,
    derive_seed,
    require_unique_names,
)
from tokumei.core.registry import Layout
from tokumei.core.releases_folder import numbered_release_outputs
from tokumei.core.workflow import make_release
from tokumei.files.atomic_write import Output
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.release_files import several_releases_readme
from tokumei.files.writing import text_output


class LayoutSpec(SourceSpec):
    """Where the data comes from; any other key is an option of the file's format."""

    model_config = ConfigDict(extra="allow", frozen=True)

    format: str | None = None

    @property
    def options(self) -> dict[str, object]:
        """How the file is read."""
        return dict(self.model_extra or {})


class DefaultRecipe(Recipe):
    """A whole experiment on data of any kind; `for_kind` adds the key of the data."""

    releases: list[ReleaseSpec] = Field(min_length=1)

    @classmethod
    def for_kind(cls, kind: DataKind) -> type[Recipe]:
        """The class of recipes for a kind: its name is the key of the data."""
        data: dict[str, Any] = {kind.key: (LayoutSpec, ...)}
        model: type[DefaultRecipe] = create_model(f"{kind.name}_recipe", __base__=cls, **data)
        model.kind = kind
        return model

    @property
    def spec(self) -> LayoutSpec:
        """Where the data comes from."""
        return cast(LayoutSpec, self.source)

    def require_methods(self, where: str) -> None:
        """Fail unless names are unique, and format and methods take their parameters."""
        at = f"{where}: {self.kind.key}"
        if self.spec.file is not None:
            self._build_layout(at)
        elif self.spec.options:
            key = next(iter(self.spec.options))
            raise UnknownNameError(Message("key"), key, LayoutSpec.model_fields, where=at)
        require_unique_names([release.name for release in self.releases], where)
        for spec in self.releases:
            self.kind.anonymizers.build(spec.method, spec.params, where=f"{where}: {spec.name}")

    def load(self) -> tuple[object, str | None]:
        """The data, and the hash of its file."""
        path = self.spec.file
        return (
            (self.sample(), None)
            if path is None
            else (self._build_layout().read(path), sha256_of_file(path))
        )

    def _build_layout(self, where: str = "") -> Layout[object]:
        formats = self.kind.formats
        name = self.spec.format or formats.names()[0]
        return formats.build(name, self.spec.options, where=where)

    def run(self) -> DefaultExperiment:
        """Make, verify, attack and measure every release."""
        source, digest = self.load()
        work = track_progress(self.releases, Message("releases"))
        scored_releases = [
            self._score_release(source, digest, number, spec) for number, spec in enumerate(work)
        ]
        return DefaultExperiment(self, scored_releases)

    def _score_release(
        self, source: object, digest: str | None, number: int, spec: ReleaseSpec
    ) -> ReleaseScores:
        flow, seed = self.kind.flow, derive_seed(self.seed, "release", number)
        release = make_release(
            self.kind, source, spec.method, seed=seed, sha256=digest, **spec.params
        )
        rates = flow.attack(
            source,
            release,
            methods=list(self.attacks),
            params=self.params,
            seed=derive_seed(self.seed, "evaluate", number),
        )
        scores = flow.measure(source, release, methods=list(self.measures), params=self.params)
        return ReleaseScores(spec.name, release, rates, scores)


@dataclass(frozen=True, eq=False)
class ReleaseScores:
    """One release with what attacks find in it and what it is still good for."""

    name: str
    release: Release
    rates: Mapping[str, AttackRate]
    scores: Mapping[str, Score]

    @property
    def strongest(self) -> str | None:
        """The attack that finds the most."""
        return max(self.rates, key=lambda name: self.rates[name].rate, default=None)

    def as_json(self) -> JsonObject:
        """All figures as plain data; nothing secret is in it."""
        return {
            "label": self.name,
            "steps": [dict(step) for step in self.release.provenance.steps],
            "scores": {name: score.value for name, score in self.scores.items()},
            "attacks": {name: rate.as_json() for name, rate in self.rates.items()},
            "strongest": self.strongest,
        }

    def scorecard_row(self) -> list[str]:
        """The release as a line of the scorecard."""
        best = self.rates[self.strongest] if self.strongest else None
        attack = [self.strongest or "–", f"{best.rate:.4f}" if best else "–"]
        between = f"{best.low:.4f}–{best.high:.4f}" if best else "–"
        figures = [f"{score.value:.4g}" for score in self.scores.values()]
        return [self.name, *figures, *attack, between]


@dataclass(frozen=True, eq=False)
class DefaultExperiment(Experiment):
    """A recipe and its releases, attacked and measured."""

    report = "scorecard.json"

    releases: list[ReleaseScores]

    @property
    def scorecard_json(self) -> list[JsonObject]:
        """The scorecard as plain data."""
        return [scored.as_json() for scored in self.releases]

    def outputs(self, folder: Path) -> list[Output]:
        """Scorecard, releases and their secrets."""
        releases = {scored.name: scored.release for scored in self.releases}
        file_outputs = numbered_release_outputs(self.recipe.kind, releases, folder)
        file_outputs += several_releases_readme(len(releases), folder)
        return [text_output(as_json_text(self.scorecard_json), folder / self.report), *file_outputs]

    def answer(self) -> CommandResult:
        """The scorecard as a table."""
        attack = (Message("strongest attack"), Message("rate"), "95 %")
        header: list[Message | str] = ["", *self.releases[0].scores, *attack]
        rows = [scored.scorecard_row() for scored in self.releases]
        return CommandResult(
            {"scorecard": self.scorecard_json}, [TextTable(Message("Scorecard"), header, rows)]
        )
