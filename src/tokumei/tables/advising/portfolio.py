"""Which releases are worth trying: methods that fit the table, k, and what becomes of columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isqrt
from typing import Any

from tokumei.core.advice.adviser import Proposal
from tokumei.core.advice.candidate import Candidate
from tokumei.core.advice.purpose import Settings
from tokumei.core.advice.request import DROP, GENERALIZE, PASS, PROTECT, Request
from tokumei.tables.advising import why
from tokumei.tables.advising.source import Fates, TableSource
from tokumei.tables.anonymizers.auto import LOCAL_CELL, NODE
from tokumei.tables.choosing.choose import shortened

LOCAL_SECONDS, FLASH_SECONDS = 20.0, 5.0
"""What one candidate may take by the estimate from the table's size; no clock is looked at."""
FEWEST_NODES = 200
LIGHT = 0.25
"""The weight of a column that is made coarser first."""


@dataclass(frozen=True)
class Portfolio:
    """What can be asked for of a table, given a purpose's settings."""

    source: TableSource
    fates: Fates
    settings: Settings
    needed: frozenset[str]
    """Columns that must stay: never dropped, never made coarser first."""

    @property
    def methods(self) -> list[str]:
        """The recodings that fit the table's size, the finest first."""
        names = [n for n, fate in self.fates.columns.items() if fate == GENERALIZE]
        cells = self.source.table.frame.select(names).n_unique() * len(names)
        fitting = ["local"] if LOCAL_CELL * cells <= LOCAL_SECONDS else []
        nodes = int(FLASH_SECONDS / (NODE * cells))
        return [*fitting, "mondrian", *(["flash"] if nodes >= FEWEST_NODES else [])]

    def request(
        self, method: str, k: int, columns: Mapping[str, str] | None = None, **more: Any
    ) -> Request:
        """A release by one method, with the purpose's models and weights where they apply."""
        fates = dict(columns or self.fates.columns)
        step: dict[str, Any] = {"method": method, "k": k}
        sensitive, models = self._models(fates)
        if models:
            step |= {"conditions": models, "sensitive": sensitive}
        if self.fates.person not in ("", "none"):
            step["person"] = self.fates.person
        if method != "mondrian":
            step |= self._steered(fates, **more)
            own = self.source.hierarchies
            names = [name for name, fate in fates.items() if fate == GENERALIZE]
            if any(name in own for name in names):
                step["hierarchies"] = {name: own.get(name, "auto") for name in names}
        consent = tuple(name for name in self.fates.consent if fates[name] != DROP)
        return Request(
            "tables", (step,), fates, self.fates.person, consent, dict(self.source.reading)
        )

    def _steered(
        self, fates: Mapping[str, str], light: Sequence[str] = (), even: bool = False,
        suppression: float | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Weights of the generalized columns and the share of rows that may be left out."""
        names = [name for name, fate in fates.items() if fate == GENERALIZE]
        weights = {n: w for n in names if (w := self.settings.weight(n)) != 1 and not even}
        weights |= dict.fromkeys((n for n in light if n in names), LIGHT)
        share = self.settings.suppression if suppression is None else suppression
        found: dict[str, Any] = {"weights": weights} if weights else {}
        return found | ({"suppression": share} if share else {})

    def _models(self, fates: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The sensitive columns that can meet the models, and the models."""
        wanted = [name for name, fate in fates.items() if fate == PROTECT]
        least = max((int(m[2:]) for m in self.settings.models if m.startswith("l=")), default=1)
        frame = self.source.table.frame
        able = [name for name in wanted if frame[name].n_unique() >= least]
        return (able, list(self.settings.models)) if able else ([], [])

    def first(self, people: int) -> Iterator[Proposal]:
        """The methods at the purpose's k, then the coarse grid, then other fates of the rest."""
        k, methods = min(self.settings.k, people), self.methods
        for method in methods:
            yield Proposal(self.request(method, k), why.said(why.BEGINS, k, why.FORMS[method]))
        if self.settings.counted == "everything":
            yield from self._against_everything(self.request(methods[0], k))
        for other in (one for one in self.settings.ks if one != k and one <= people):
            for method in methods[:2]:
                yield Proposal(self.request(method, other), why.said(why.ON_GRID, other))
        yield from self._other_fates(methods[0], k)
        if methods[0] == "local" and self.settings.weights:
            yield Proposal(self.request("local", k, even=True), why.EVEN)
        if methods[0] == "local" and self.settings.suppression:
            yield Proposal(self.request("local", k, suppression=0.0), why.WHOLE)

    def _against_everything(self, base: Request) -> Iterator[Proposal]:
        """What helps against somebody who knows exact columns, too: exchange, generalize."""
        if (exchanged := self.swapped(base)) is not None:
            yield exchanged
        exact = [name for name in self._exact(base) if name not in self.needed]
        if exact:
            columns = self._with(exact, GENERALIZE, base)
            words = why.said(why.ALL_GENERALIZED, shortened(exact))
            yield Proposal(self._again(base, columns), words)

    def _exact(self, request: Request) -> list[str]:
        return [name for name, fate in request.columns.items() if fate in (PASS, PROTECT)]

    def _other_fates(self, method: str, k: int) -> Iterator[Proposal]:
        rest = [name for name in self.fates.rest() if name not in self.needed]
        if not rest:
            return
        ways = {DROP: why.NOT_NAMED}
        if self.settings.counted == "known":
            ways[PASS] = why.NOT_KNOWN
        for fate, words in ways.items():
            request = self.request(method, k, self._with(rest, fate))
            yield Proposal(request, why.said(words, shortened(rest)))

    def _with(self, names: Sequence[str], fate: str, base: Request | None = None) -> dict[str, str]:
        columns = self.fates.columns if base is None else base.columns
        return {**columns, **dict.fromkeys(names, fate)}

    def between(self, front: Sequence[Candidate]) -> Iterator[Proposal]:
        """A k between two neighbours on the front that differ in k only."""
        by_recipe: dict[str, list[Candidate]] = {}
        for one in front:
            by_recipe.setdefault(str(with_k(one.request, 0).as_json()), []).append(one)
        for alike in by_recipe.values():
            ks = sorted(one.request.k or 2 for one in alike)
            for low, high in pairwise(ks):
                middle = isqrt(low * high)
                if low < middle < high:
                    words = why.said(why.BETWEEN, low, high)
                    yield Proposal(with_k(alike[0].request, middle), words)

    def lighter(self, candidate: Candidate, most: int = 2) -> Iterator[Proposal]:
        """Without the columns that help an attack most and are needed least, or coarser in them."""
        request = candidate.request
        for name in self.ranked(candidate)[:most]:
            yield self.without(request, name)
            if request.columns[name] == GENERALIZE and request.steps[0]["method"] != "mondrian":
                yield self.coarser(request, name)
            elif request.columns[name] in (PASS, PROTECT):
                columns = self._with([name], GENERALIZE, request)
                yield Proposal(self._again(request, columns), why.said(why.GENERALIZED, name))

    def ranked(self, candidate: Candidate) -> list[str]:
        """Columns by how much they help the attack for how little they are needed."""
        figures = candidate.figures

        def worth(name: str) -> float:
            left = self.settings.weight(name) * (1 - figures.losses.get(name, 1.0))
            return figures.telling[name] / (left + 0.05)

        able = [n for n, gain in figures.telling.items() if gain > 0 and n not in self.needed]
        return sorted(able, key=lambda name: (-worth(name), name))

    def without(self, request: Request, name: str) -> Proposal:
        """The same without a column."""
        made = self._again(request, self._with([name], DROP, request))
        return Proposal(made, why.said(why.WITHOUT, name))

    def coarser(self, request: Request, name: str) -> Proposal:
        """The same with one column made coarser before the others are."""
        step = dict(request.steps[0])
        step["weights"] = {**step.get("weights", {}), name: LIGHT}
        made = replace(request, steps=(step, *request.steps[1:]))
        return Proposal(made, why.said(why.COARSER, name))

    def swapped(self, request: Request) -> Proposal | None:
        """The same with exact columns swapped within classes."""
        exact = self._exact(request)
        if not exact or len(request.steps) > 1:
            return None
        made = self._again(request, self._with(exact, PROTECT, request), bare=True)
        steps = (*made.steps, {"method": "swap"})
        return Proposal(replace(made, steps=steps), why.said(why.SWAPPED, shortened(exact)))

    def _again(self, request: Request, columns: dict[str, str], bare: bool = False) -> Request:
        """The request with other fates, its parameters kept as far as its columns are there."""
        step = dict(request.steps[0])
        names = [name for name, fate in columns.items() if fate == GENERALIZE]
        for key in ("conditions", "sensitive"):
            step.pop(key, None)
        sensitive, models = self._models({} if bare else columns)
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
