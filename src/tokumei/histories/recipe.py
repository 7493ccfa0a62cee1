"""Recipes for histories: data, sweeps, categories, a study, a report.

history:
  sample: {rows: 20000, seed: 1}     # or  file: T.csv  and  format: pws2018
sweeps:
  - {method: rank-match, k: 2-20}
  - {method: aligned, k: [2, 3, 6]}
releases:                            # files to hand out, beside or instead of sweeps
  - {name: six alike, method: rank-match, k: 6}
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, field_validator

from tokumei.core.command import CommandResult
from tokumei.core.errors import UsageError
from tokumei.core.recipe import (
    Experiment,
    MethodSpec,
    Recipe,
    ReleaseSpec,
    SourceSpec,
    derive_seed,
    require_unique_names,
)
from tokumei.core.releases_folder import numbered_release_outputs, public_release_paths
from tokumei.files.atomic_write import Output
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.release_files import ReleaseRecord, several_releases_readme
from tokumei.histories.categories.make_categories import is_mapping_file
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.kind import HISTORIES
from tokumei.histories.registry import anonymizers
from tokumei.histories.report.page import sweep_outputs
from tokumei.histories.services.anonymize import anonymize_history
from tokumei.histories.services.read import choose_item_categories, read_history
from tokumei.histories.services.requests import (
    AnonymizeHistoryRequest,
    CategoryRequest,
    HistorySource,
)
from tokumei.histories.study import HistoryStudy, study_history
from tokumei.ledger.recipe_section import LedgerSpec, RecipeLedger
from tokumei.pages.sweep_report import sweep_result


class HistorySpec(SourceSpec):
    """Where the history comes from."""

    file_keys = ("file", "items")

    format: str = "pws2018"
    columns: dict[str, str] = Field(default_factory=dict)
    items: str | None = None
    sep: str | None = None
    encoding: str = "auto"
    keep: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    cleaning: str | None = None
    no_normalize: tuple[str, ...] = ()
    date_order: str | None = None
    options: dict[str, object] = Field(default_factory=dict)
    """Options that only this format has."""

    def history_source(self) -> HistorySource:
        """The file and its layout; an option that the format does not use is refused."""
        others = {*SourceSpec.model_fields, "format", "items", "options"}
        fields = {key: getattr(self, key) for key in type(self).model_fields if key not in others}
        layout = history_layout(self.format, {**fields, **self.options})
        return HistorySource(data=str(self.file), layout=layout)

    def require(self, where: str) -> None:
        """Fail unless there is exactly one source; a file needs a format that takes the options."""
        super().require(where)
        if self.file is not None:
            self.history_source()


class SweepSpec(MethodSpec):
    """One method over several k; any other key is a parameter of the method."""

    k: list[int] = Field(min_length=1)

    @field_validator("k", mode="before")
    @classmethod
    def _expand_range(cls, k: object) -> object:
        """`2-20` and `6` as lists."""
        if isinstance(k, int):
            return [k]
        low, dash, high = k.partition("-") if isinstance(k, str) else ("", "", "")
        if dash and low.isdecimal() and high.isdecimal() and int(high) - int(low) < 1000:
            return list(range(int(low), int(high) + 1))
        return k


class HistoryReleaseSpec(ReleaseSpec):
    """One release; `categories` replace the items first."""

    categories: str | None = None


class HistoryRecipe(Recipe):
    """A whole experiment on a history."""

    kind = HISTORIES

    history: HistorySpec
    sweeps: list[SweepSpec] = Field(default_factory=list)
    releases: list[HistoryReleaseSpec] = Field(default_factory=list)
    categories: str | None = None
    chosen: int | None = None
    examples: Literal["invented", "data"] = "invented"
    ledger: LedgerSpec | None = None

    @property
    def files(self) -> list[str]:
        """The files that are read."""
        ways = [self.categories, *(release.categories for release in self.releases)]
        return [*super().files, *(way for way in ways if way and is_mapping_file(way))]

    def beside(self, folder: Path) -> Self:
        """The same with its files looked for in a folder."""
        changed: dict[str, object] = {
            "categories": _beside(self.categories, folder),
            "releases": [
                release.model_copy(update={"categories": _beside(release.categories, folder)})
                for release in self.releases
            ],
        }
        if self.ledger is not None:
            changed["ledger"] = self.ledger.beside(folder)
        return super().beside(folder).model_copy(update=changed)

    def require_methods(self, where: str) -> None:
        """Fail unless every method takes its parameters, and the chosen k is swept."""
        if not self.sweeps and not self.releases:
            raise UsageError("{where} needs 'sweeps' or 'releases'", where=where)
        require_unique_names([release.name for release in self.releases], where)
        for release in self.releases:
            HISTORIES.anonymizers.build(release.method, release.params, where=where)
        for spec in self.sweeps:
            for k in spec.k:
                HISTORIES.anonymizers.build(spec.method, {**spec.params, "k": k}, where=where)
        if self.chosen is not None and not any(self.chosen in spec.k for spec in self.sweeps):
            raise UsageError(
                "{where}: chosen: {chosen} is in none of the sweeps",
                where=where,
                chosen=self.chosen,
            )
        if self.ledger is not None:
            self.ledger.leaves([release.name for release in self.releases])

    def load(self) -> History:
        """The recipe's history."""
        spec = self.history
        if spec.file is None:
            history: History = self.sample()
            return history
        return read_history(spec.history_source()).history

    def run(self) -> HistoryExperiment:
        """Sweep every method, attack and measure the chosen release."""
        history = self.load()
        request = self._category_request(self.categories)
        categories = None if request is None else choose_item_categories(history, request)
        studies = [
            study_history(
                history,
                sweep_spec.method,
                sweep_spec.k,
                chosen=self.chosen if self.chosen in sweep_spec.k else None,
                params=sweep_spec.params,
                categories=categories,
                attacks=list(self.attacks),
                measures=list(self.measures),
                settings=self.params,
                examples=self.examples,
                seed=self.seed,
            )
            for sweep_spec in self.sweeps
        ]
        releases, watch = self.made(history), None
        if self.ledger is not None:
            watch = RecipeLedger.of(self.ledger, HISTORIES, releases, history, "")
        return HistoryExperiment(self, studies, releases, watch)

    def _category_request(self, by: str | None) -> CategoryRequest | None:
        if by is None:
            return None
        spec = self.history
        return CategoryRequest(by=by, items=spec.items, encoding=spec.encoding, seed=self.seed)

    def made(self, history: History) -> dict[str, HistoryRelease]:
        """Every release by its name, proven; each has draws of its own."""
        digest = None if self.history.file is None else sha256_of_file(self.history.file)
        requests = {
            spec.name: AnonymizeHistoryRequest(
                source=HistorySource(
                    data=history, categories=self._category_request(spec.categories)
                ),
                method=anonymizers.build(spec.method, spec.params),
                seed=derive_seed(self.seed, "release", number),
                sha256=digest,
            )
            for number, spec in enumerate(self.releases)
        }
        return {name: anonymize_history(request) for name, request in requests.items()}


def _beside(categories: str | None, folder: Path) -> str | None:
    """A mapping file looked for in a folder; other ways to categories as they are."""
    return str(folder / categories) if categories and is_mapping_file(categories) else categories


@dataclass(frozen=True, eq=False)
class HistoryExperiment(Experiment):
    """A recipe, the study of each of its sweeps, and its releases."""

    studies: list[HistoryStudy]
    releases: dict[str, HistoryRelease] = field(default_factory=dict, repr=False)
    watch: RecipeLedger | None = None

    def outputs(self, folder: Path) -> list[Output]:
        """Report, chart and tables; the releases and their secrets."""
        sweep_files = list[Output]()
        if self.studies:
            sweep_files = sweep_outputs(self.studies, folder, title=self.recipe.title_text)
        return [
            *sweep_files,
            *numbered_release_outputs(HISTORIES, self.releases, folder),
            *several_releases_readme(len(self.releases), folder),
        ]

    def leaving(self, folder: Path) -> AbstractContextManager[tuple[Path, ReleaseRecord] | None]:
        """The release that leaves by the recipe's ledger."""
        if self.watch is None:
            return super().leaving(folder)
        return self.watch.leaving(public_release_paths(list(self.releases), folder))

    def answer(self) -> CommandResult:
        """Every sweep as a table; what a ledger says."""
        sweeps = [study.sweep for study in self.studies]
        data: dict[str, object] = {"sweeps": {sweep.label: sweep.as_json() for sweep in sweeps}}
        result = sweep_result(sweeps, ())
        if self.watch is None:
            return replace(result, data=data)
        data["ledger"] = self.watch.as_json()
        return replace(result, data=data, shown=[*result.shown, *self.watch.words()])
