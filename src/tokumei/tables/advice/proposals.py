"""Proposes releases to try: methods, k and column treatments that suit the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isqrt

from tokumei.core.advice.adviser import Proposal
from tokumei.core.advice.candidate import Candidate
from tokumei.core.advice.purpose import Settings
from tokumei.core.advice.request import DROP, GENERALIZE, KEEP_UNCHANGED, PROTECT, Request
from tokumei.tables.advice import explanations
from tokumei.tables.advice.choose_k import shorten_names
from tokumei.tables.advice.table_source import ColumnTreatments, TableSource
from tokumei.tables.anonymizers.auto import LOCAL_CELL_SECONDS, NODE_SECONDS

LOCAL_SECONDS, FLASH_SECONDS = 20.0, 5.0
"""What one candidate may take by the estimate from the table's size; no clock is looked at."""
MIN_NODES = 200
LIGHT_WEIGHT = 0.25
"""The weight of a column that is made coarser first."""


@dataclass(frozen=True)
class ProposalGenerator:
    """What can be asked for of a table, given a purpose's settings."""

    source: TableSource
    fates: ColumnTreatments
    settings: Settings
    needed: frozenset[str]
    """Columns that must stay: never dropped, never made coarser first."""

    @property
    def methods(self) -> list[str]:
        """The recodings that fit the table's size, the finest first."""
        names = [n for n, fate in self.fates.columns.items() if fate == GENERALIZE]
        cells = self.source.table.frame.select(names).n_unique() * len(names)
        fitting = ["local"] if LOCAL_CELL_SECONDS * cells <= LOCAL_SECONDS else []
        nodes = int(FLASH_SECONDS / (NODE_SECONDS * cells))
        return [*fitting, "mondrian", *(["flash"] if nodes >= MIN_NODES else [])]

    def build_request(
        self, method: str, k: int, columns: Mapping[str, str] | None = None, *,
        light: Sequence[str] = (), even: bool = False, suppression: float | None = None,
    ) -> Request:  # fmt: skip
        """A release by one method, with the purpose's models and weights where they apply."""
        treatments = dict(columns or self.fates.columns)
        step: dict[str, object] = {"method": method, "k": k}
        sensitive, models = self._columns_that_meet_models(treatments)
        if models:
            step |= {"conditions": models, "sensitive": sensitive}
        if self.fates.person not in ("", "none"):
            step["person"] = self.fates.person
        if method != "mondrian":
            step |= self._weights_and_suppression(treatments, light, even, suppression)
            owner_hierarchies = self.source.hierarchies
            names = [name for name, fate in treatments.items() if fate == GENERALIZE]
            if any(name in owner_hierarchies for name in names):
                step["hierarchies"] = {name: owner_hierarchies.get(name, "auto") for name in names}
        consent = tuple(name for name in self.fates.consent if treatments[name] != DROP)
        return Request(
            "tables", (step,), treatments, self.fates.person, consent, dict(self.source.reading)
        )

    def _weights_and_suppression(
        self,
        treatments: Mapping[str, str],
        light: Sequence[str],
        even: bool,
        suppression: float | None,
    ) -> dict[str, object]:
        """Weights of the generalized columns and the share of rows that may be left out."""
        names = [name for name, fate in treatments.items() if fate == GENERALIZE]
        weights = {n: w for n in names if (w := self.settings.weight(n)) != 1 and not even}
        weights |= dict.fromkeys((n for n in light if n in names), LIGHT_WEIGHT)
        share = self.settings.suppression if suppression is None else suppression
        parameters: dict[str, object] = {"weights": weights} if weights else {}
        return parameters | ({"suppression": share} if share else {})

    def _columns_that_meet_models(
        self, treatments: Mapping[str, str]
    ) -> tuple[list[str], list[str]]:
        """The sensitive columns that can meet the models, and the models."""
        protected_names = [name for name, fate in treatments.items() if fate == PROTECT]
        min_values = max(
            (int(m[2:]) for m in self.settings.models if m.startswith("l=")), default=1
        )
        frame = self.source.table.frame
        usable_names = [name for name in protected_names if frame[name].n_unique() >= min_values]
        return (usable_names, list(self.settings.models)) if usable_names else ([], [])

    def first(self, people: int) -> Iterator[Proposal]:
        """The methods at the purpose's k, the coarse grid, then other treatments of the rest."""
        k, methods = min(self.settings.k, people), self.methods
        for method in methods:
            yield Proposal(
                self.build_request(method, k),
                explanations.START_REASON.fill(k=k, form=explanations.METHOD_FORMS[method]),
            )
        if self.settings.counted == "everything":
            yield from self._propose_against_everything(self.build_request(methods[0], k))
        for other_k in (grid_k for grid_k in self.settings.ks if grid_k != k and grid_k <= people):
            for method in methods[:2]:
                yield Proposal(
                    self.build_request(method, other_k),
                    explanations.GRID_REASON.fill(k=other_k),
                )
        yield from self._propose_other_treatments(methods[0], k)
        if methods[0] == "local" and self.settings.weights:
            yield Proposal(
                self.build_request("local", k, even=True), explanations.EVEN_WEIGHTS_REASON
            )
        if methods[0] == "local" and self.settings.suppression:
            yield Proposal(
                self.build_request("local", k, suppression=0.0), explanations.KEEP_ROWS_REASON
            )

    def _propose_against_everything(self, base: Request) -> Iterator[Proposal]:
        """What helps against somebody who knows exact columns, too: exchange, generalize."""
        if (swap_proposal := self.swapped(base)) is not None:
            yield swap_proposal
        exact_names = [name for name in self._exact_columns(base) if name not in self.needed]
        if exact_names:
            columns = self._with_treatment(exact_names, GENERALIZE, base)
            reason = explanations.GENERALIZE_ALL_REASON.fill(columns=shorten_names(exact_names))
            yield Proposal(self._rebuild_request(base, columns), reason)

    def _exact_columns(self, request: Request) -> list[str]:
        return [name for name, fate in request.columns.items() if fate in (KEEP_UNCHANGED, PROTECT)]

    def _propose_other_treatments(self, method: str, k: int) -> Iterator[Proposal]:
        other_names = [name for name in self.fates.rest() if name not in self.needed]
        if not other_names:
            return
        treatment_reasons = {DROP: explanations.UNREQUESTED_REASON}
        if self.settings.counted == "known":
            treatment_reasons[KEEP_UNCHANGED] = explanations.NOT_KNOWN_REASON
        for fate, reason in treatment_reasons.items():
            request = self.build_request(method, k, self._with_treatment(other_names, fate))
            yield Proposal(request, reason.fill(columns=shorten_names(other_names)))

    def _with_treatment(
        self, names: Sequence[str], fate: str, base: Request | None = None
    ) -> dict[str, str]:
        columns = self.fates.columns if base is None else base.columns
        return {**columns, **dict.fromkeys(names, fate)}

    def between(self, front: Sequence[Candidate]) -> Iterator[Proposal]:
        """A k between two neighbours on the front that differ in k only."""
        by_recipe: dict[str, list[Candidate]] = {}
        for candidate in front:
            by_recipe.setdefault(str(with_k(candidate.request, 0).as_json()), []).append(candidate)
        for same_recipe in by_recipe.values():
            ks = sorted(candidate.request.k or 2 for candidate in same_recipe)
            for low, high in pairwise(ks):
                middle_k = isqrt(low * high)
                if low < middle_k < high:
                    reason = explanations.BETWEEN_REASON.fill(low=low, high=high)
                    yield Proposal(with_k(same_recipe[0].request, middle_k), reason)

    def propose_lighter(self, candidate: Candidate, max_columns: int = 2) -> Iterator[Proposal]:
        """Without the columns that help an attack most and are needed least, or coarser in them."""
        request = candidate.request
        for name in self.rank_removable_columns(candidate)[:max_columns]:
            yield self.without(request, name)
            if request.columns[name] == GENERALIZE and request.steps[0]["method"] != "mondrian":
                yield self.propose_coarser(request, name)
            elif request.columns[name] in (KEEP_UNCHANGED, PROTECT):
                columns = self._with_treatment([name], GENERALIZE, request)
                yield Proposal(
                    self._rebuild_request(request, columns),
                    explanations.GENERALIZE_REASON.fill(column=name),
                )

    def rank_removable_columns(self, candidate: Candidate) -> list[str]:
        """Columns by how much they help the attack for how little they are needed."""
        figures = candidate.figures

        def removal_value(name: str) -> float:
            remaining_value = self.settings.weight(name) * (1 - figures.losses.get(name, 1.0))
            return figures.telling[name] / (remaining_value + 0.05)

        removable_names = [
            n for n, risk_gain in figures.telling.items() if risk_gain > 0 and n not in self.needed
        ]
        return sorted(removable_names, key=lambda name: (-removal_value(name), name))

    def without(self, request: Request, name: str) -> Proposal:
        """The same without a column."""
        new_request = self._rebuild_request(request, self._with_treatment([name], DROP, request))
        return Proposal(new_request, explanations.DROP_REASON.fill(column=name))

    def propose_coarser(self, request: Request, name: str) -> Proposal:
        """The same with one column made coarser before the others are."""
        step = dict(request.steps[0])
        step["weights"] = {**step.get("weights", {}), name: LIGHT_WEIGHT}
        new_request = replace(request, steps=(step, *request.steps[1:]))
        return Proposal(new_request, explanations.COARSER_REASON.fill(column=name))

    def swapped(self, request: Request) -> Proposal | None:
        """The same with exact columns swapped within classes."""
        exact_names = self._exact_columns(request)
        if not exact_names or len(request.steps) > 1:
            return None
        new_request = self._rebuild_request(
            request, self._with_treatment(exact_names, PROTECT, request), bare=True
        )
        steps = (*new_request.steps, {"method": "swap"})
        return Proposal(
            replace(new_request, steps=steps),
            explanations.SWAP_REASON.fill(columns=shorten_names(exact_names)),
        )

    def _rebuild_request(
        self, request: Request, columns: dict[str, str], bare: bool = False
    ) -> Request:
        """The request with other treatments, its parameters kept where their columns exist."""
        step = dict(request.steps[0])
        names = [name for name, fate in columns.items() if fate == GENERALIZE]
        for key in ("conditions", "sensitive"):
            step.pop(key, None)
        sensitive, models = self._columns_that_meet_models({} if bare else columns)
        if models:
            step |= {"conditions": models, "sensitive": sensitive}
        weights = {n: w for n, w in step.pop("weights", {}).items() if n in names}
        step |= {"weights": weights} if weights else {}
        consent = tuple(name for name in request.consent if columns[name] != DROP)
        steps = (step, *request.steps[1:])
        return replace(request, steps=steps, columns=columns, consent=consent)


def with_k(request: Request, k: int) -> Request:
    """The same request with another k."""
    first = {**request.steps[0], "k": k}
    return replace(request, steps=(first, *request.steps[1:]))
