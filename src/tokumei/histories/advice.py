"""Adviser of purchase histories: candidates over k for each method.

Whoever gets a history is taken to know all purchases of everybody; the risk is what attacks find,
beside the 1/k that the verified claim leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import isqrt

import numpy as np

from tokumei.core.advice.advice import Wish
from tokumei.core.advice.adviser import Adviser, Proposal
from tokumei.core.advice.candidate import AttackEstimate, Candidate, Figures
from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import Request
from tokumei.core.attack_rates import wilson
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.flow import anonymize, attack
from tokumei.histories.measures.protocol import history_loss
from tokumei.histories.registry import anonymizers

DEFAULT_METHODS = ("rank-match", "aligned")
MAX_ALIGNED_ROWS = 200_000
"""Up to so many rows the finer, slower method is tried, too."""


@dataclass(eq=False, kw_only=True)
class HistoryAdviser(Adviser):
    """Candidates for the release of a history."""

    history: History
    methods: tuple[str, ...] = DEFAULT_METHODS
    made: tuple[str, HistoryRelease] | None = None
    prepared: dict[str, object] = field(default_factory=dict, repr=False)

    def first(self) -> Iterator[Proposal]:
        """The purpose's k, then its grid, for every method."""
        grid = [self.settings.k, *(k for k in self.settings.ks if k != self.settings.k)]
        for k in grid:
            for method in self.methods:
                yield Proposal(
                    _build_request(method, k), _describe_grid_k(k, begins=k == self.settings.k)
                )

    def further(self) -> Iterator[Proposal]:
        """A k between neighbours on the front."""
        front = self.advice().front
        for method in self.methods:
            ks = sorted(
                candidate.request.k or 2
                for candidate in front
                if candidate.request.method == method
            )
            for low, high in pairwise(ks):
                middle = isqrt(low * high)
                if low < middle < high:
                    reason = Message(
                        "lies between two good candidates (groups of {low} and of {high})",
                        low=low,
                        high=high,
                        stable_code="between",
                    )
                    yield Proposal(_build_request(method, middle), reason)

    def proposals_near(
        self, candidate: Candidate, wish: Wish, column: str | None
    ) -> Iterable[Proposal]:
        """A larger or smaller k; columns of a history cannot be dropped one by one."""
        k, method = candidate.request.k or 2, candidate.request.method
        if wish == "safer":
            return [Proposal(_build_request(method, 2 * k), _describe_grid_k(2 * k, begins=False))]
        if wish == "more detail":
            smaller = sorted({max(2, k // 2), max(2, k - 1)} - {k})
            return [
                Proposal(
                    _build_request(method, smaller_k), _describe_grid_k(smaller_k, begins=False)
                )
                for smaller_k in smaller
            ]
        raise UsageError(
            "histories have no candidates for '{wish}': their columns stay together, and rows are "
            "left out only to make groups of k",
            wish=wish,
        )

    def evaluate_proposal(self, proposal: Proposal, id: str) -> Candidate:
        """Make and prove the release, and take its loss, as the curve does."""
        request = proposal.request
        release = self.release(request)
        self.made = (id, release)
        loss = history_loss(self.history, release.rows)
        parts = loss.parts
        weights = [self.settings.weight(name) for name in parts]
        people = len(release.truth())
        k = request.k or 1
        figures = Figures(
            loss=float(np.average(list(parts.values()), weights=weights)),
            losses=parts,
            smallest=k,
            joint=k,
            alone=0,
            at_risk=0,
            rows_kept=loss.rows_kept,
            people=people,
            counts_people=True,
            estimate=1 / k,
            more={"loss": loss.loss},
        )
        title = Message("{method}, k = {k}", method=anonymizers.get(request.method).title, k=k)
        return Candidate(
            id, request, figures, proposal.reason, title, "everything", near=proposal.near
        )

    def attacked(self, candidate: Candidate) -> Candidate:
        """The strongest attack, in people."""
        cached_release, self.made = self.made, None
        release = (
            cached_release[1]
            if cached_release and cached_release[0] == candidate.id
            else self.release(candidate.request)
        )
        hits = attack(self.history, release, seed=self.seed)
        name = max(hits, key=lambda attack_name: hits[attack_name].hits)
        people, best = candidate.figures.people, hits[name]
        low, high = wilson(best.hits, people, 1 - 0.05 / len(hits))
        estimate = AttackEstimate(
            name, float(best.hits), low * people, high * people, best.baseline * people, people
        )
        return replace(
            candidate, figures=replace(candidate.figures, known=estimate, everything=estimate)
        )

    def release(self, request: Request, *, seed: int | None = None) -> HistoryRelease:
        """The release that a candidate stands for, proven."""
        step = dict(request.steps[0])
        method = anonymizers.build(str(step.pop("method")), step)
        if method.name not in self.prepared:
            self.prepared[method.name] = method.prepare(self.history)
        used_seed = self.seed if seed is None else seed
        prepared = self.prepared[method.name]
        release: HistoryRelease = anonymize(self.history, method, seed=used_seed, prepared=prepared)
        return release


def history_adviser(
    source: object, purpose: Purpose, *, seed: int | None = 1, methods: tuple[str, ...] = ()
) -> HistoryAdviser:
    """Build the adviser of a history; `methods` are names of anonymizers."""
    history = History.of(source)
    columns = history.columns[1:]
    unknown = [name for name in purpose.named if name not in columns]
    if unknown:
        raise UsageError(
            "a history's columns are {columns}, not '{name}'",
            columns=join_messages(columns),
            name=unknown[0],
        )
    knowledge_note = Message(
        "The risk is counted for somebody who knows all purchases of everybody."
    )
    chosen_methods, notes = methods or DEFAULT_METHODS, [knowledge_note]
    if not methods and history.frame.height > MAX_ALIGNED_ROWS:
        untried_note = Message(
            "'aligned' is not tried: more than {limit:,} rows", limit=MAX_ALIGNED_ROWS
        )
        chosen_methods, notes = DEFAULT_METHODS[:1], [untried_note, knowledge_note]
    settings = replace(purpose.settings, counted="everything", models=(), suppression=0.0)
    return HistoryAdviser(purpose, settings, seed, notes, history=history, methods=chosen_methods)


def _build_request(method: str, k: int) -> Request:
    return Request("histories", ({"method": method, "k": k},))


def _describe_grid_k(k: int, *, begins: bool) -> Message:
    if begins:
        return Message(
            "begins where your answers point: groups of {k} customers", k=k, stable_code="start"
        )
    return Message("shows what groups of {k} customers cost and bring", k=k, stable_code="grid")
