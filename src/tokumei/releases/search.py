"""Searches the release that fits its scenario and keeps most.

trials = search_releases(source, decisions, scenario, seed=seed)
trials[0]       # the best of all that were tried

Every candidate is made, verified and judged; nothing is estimated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokumei.assessment.propose_remedies import needed_size
from tokumei.core.advice.request import DROP, GENERALIZE, Request
from tokumei.core.errors import TokumeiError
from tokumei.core.scenario import Scenario
from tokumei.releases.column_decisions import ColumnDecisions
from tokumei.releases.natural_hierarchies import choose_natural_hierarchies
from tokumei.releases.trial import Trial, try_candidate
from tokumei.tables.advice.table_source import TableSource
from tokumei.tables.anonymizers.auto import LOCAL_CELL_SECONDS
from tokumei.tables.data.column_encoding import count_persons
from tokumei.tables.hierarchies.choose import AUTO

KEEP_WEIGHT = 4.0
POOR_WEIGHT = 4.0
"""The weights of columns that matter, and of columns that lost much in the first try."""
LOCAL_SECONDS = 40.0
"""Above this estimate a coarser, faster method is used."""
MANY_CELLS = 1_000_000
"""In larger tables fewer candidates are tried."""
WIDTHS = (12, 8, 5, 3)
"""How many columns the public gets at most, where all of them together lose too much."""


@dataclass(frozen=True)
class ReleaseSearch:
    """What a search needs."""

    source: TableSource
    decisions: ColumnDecisions
    scenario: Scenario
    seed: int | None
    sha256: str | None = None

    def run(self) -> list[Trial]:
        """All candidates that could be made, the best first; fails if none could be."""
        trials, errors = list[Trial](), list[TokumeiError]()
        for request in self._first_requests():
            self._collect(request, trials, errors)
        if trials:
            for request in self._further_requests(max(trials, key=_preference)):
                self._collect(request, trials, errors)
        if not trials:
            raise errors[0]
        return sorted(trials, key=_preference, reverse=True)

    def _collect(self, request: Request, trials: list[Trial], errors: list[TokumeiError]) -> None:
        """Try a candidate; add it, or why it could not be made."""
        identifiers = self.decisions.identifiers
        try:
            trial = try_candidate(
                self.source,
                request,
                self.scenario,
                identifiers,
                seed=self.seed,
                sha256=self.sha256,
            )
        except TokumeiError as error:
            errors.append(error)
        else:
            trials.append(trial)

    @property
    def people(self) -> int:
        """How many people (rows, where people are not told apart) the table has."""
        table, person = self.source.table, self.decisions.person
        return table.rows if person == "none" else count_persons(table.frame[person])

    @property
    def k(self) -> int:
        """The class size that the scenario needs, never more than there are people."""
        return min(needed_size(self.scenario), self.people)

    @property
    def is_large(self) -> bool:
        """Whether every candidate takes long."""
        frame = self.source.table.frame
        return frame.height * frame.width > MANY_CELLS

    def _first_requests(self) -> Iterator[Request]:
        """All columns that leave, by every method; for the public also fewer of them."""
        treatments = self.decisions.treatments
        methods = self._methods(treatments)
        for method in methods:
            yield self._request(treatments, method)
        if self.scenario.recipient == "public":
            names = self._ranked_columns()
            for width in WIDTHS:
                if width < len(names):
                    yield self._request(self._without(names[width:], treatments), methods[-1])

    def _further_requests(self, best: Trial) -> Iterator[Request]:
        """Around the best: columns that lost much weigh more; as a last resort they go."""
        request = best.request
        poor = [name for name in best.poor_columns if name in self._generalized(request)]
        if not poor or (self.is_large and not best.empty_columns):
            return
        if "local" in self._methods(request.columns):
            weights = dict.fromkeys(poor, POOR_WEIGHT)
            yield self._request(request.columns, "local", weights)
        worst = best.empty_columns or poor[:1]
        if len(self._generalized(request)) > len(worst) and not best.fits:
            yield self._request(self._without(worst, request.columns), request.method)

    def _generalized(self, request: Request) -> list[str]:
        return request.columns_with_treatment(GENERALIZE)

    def _ranked_columns(self) -> list[str]:
        """The columns that leave: those to keep first, then those of fewest values."""
        frame, keep = self.source.table.frame, self.scenario.keep
        names = self.decisions.generalized
        return sorted(names, key=lambda name: (name not in keep, frame[name].n_unique()))

    def _without(self, names: Sequence[str], treatments: Mapping[str, str]) -> dict[str, str]:
        return {**treatments, **dict.fromkeys(names, DROP)}

    def _methods(self, treatments: Mapping[str, str]) -> list[str]:
        """The recodings that fit the table's size; none is needed where nothing is known."""
        generalized = [name for name, fate in treatments.items() if fate == GENERALIZE]
        if not generalized:
            return ["drop-identifiers"]
        distinct = self.source.table.frame.select(generalized).n_unique()
        is_slow = LOCAL_CELL_SECONDS * distinct * len(generalized) > LOCAL_SECONDS
        return ["mondrian"] if is_slow else ["local", "mondrian"]

    def _request(
        self,
        treatments: Mapping[str, str],
        method: str,
        weights: Mapping[str, float] | None = None,
    ) -> Request:
        """A candidate with these treatments; its hierarchies are those that suit the columns."""
        consent = tuple(n for n in self.decisions.consent if treatments[n] != DROP)
        request = Request(
            "tables",
            (self._step(treatments, method, weights),),
            dict(treatments),
            self.decisions.person,
            consent,
            dict(self.source.reading),
        )
        return request if method == "drop-identifiers" else self._with_hierarchies(request)

    def _step(
        self, treatments: Mapping[str, str], method: str, weights: Mapping[str, float] | None
    ) -> dict[str, Any]:
        if method == "drop-identifiers":
            return {"method": method}
        step: dict[str, Any] = {"method": method, "k": self.k}
        if self.decisions.person != "none":
            step["person"] = self.decisions.person
        kept = [name for name in self.scenario.keep if treatments[name] == GENERALIZE]
        all_weights = dict.fromkeys(kept, KEEP_WEIGHT) | dict(weights or {})
        return step | ({"weights": all_weights} if all_weights and method == "local" else {})

    def _with_hierarchies(self, request: Request) -> Request:
        """The candidate with the hierarchy of every column named."""
        planned = self.source.plan(request)
        proposed: Any = getattr(planned.method, "hierarchies", AUTO)
        names = planned.table.schema.qi
        by_column = (
            dict.fromkeys(names, AUTO)
            if isinstance(proposed, str)
            else {name: proposed.get(name, AUTO) for name in names}
        )
        natural = choose_natural_hierarchies(planned.table.frame, self.source.look, by_column)
        if request.method == "mondrian":
            # Of numbers and days it makes ranges of its own.
            natural = {name: source for name, source in natural.items() if source != AUTO}
        if all(source == AUTO for source in natural.values()):
            return request
        (step,) = request.steps
        return replace(request, steps=({**step, "hierarchies": natural},))


def _preference(trial: Trial) -> tuple[bool, int, float]:
    return trial.preference
