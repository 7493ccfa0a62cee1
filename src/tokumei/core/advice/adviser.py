"""Searches candidates for any kind of data: propose, measure, attack, refine.

    adviser = tk.adviser(source, purpose, seed=1)
    for candidate in adviser.steps(seconds=60):      # twice each: measured, then attacked
        ...
    for candidate in adviser.near(candidate, "safer"):
        ...
    adviser.advice().front
    release = adviser.release(candidate.request)

What is tried next depends only on what was found, never on the clock: the same seed and number of
steps give the same candidates; seconds only cut the row short. Leaving the loop stops the search.
"""

from __future__ import annotations

import hashlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tokumei.core.advice.advice import Advice, Budget, Skipped, Wish, mark_pareto_front
from tokumei.core.advice.candidate import Candidate, Figures
from tokumei.core.advice.purpose import Purpose, Settings
from tokumei.core.advice.request import Request
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message, as_sentence

CLEAR_LOSS_GAP, CLEAR_RISK_RATIO = 0.02, 0.8
"""A candidate is far from the front if another loses so much less, and risks this part of it."""


@dataclass(frozen=True)
class Proposal:
    """A request that may be tried, and why; `near`: the candidate it was made from."""

    request: Request
    why: Message
    near: str | None = None

    @property
    def reason(self) -> Message:
        """Why, in a sentence."""
        return as_sentence(self.why)


@dataclass(eq=False)
class Adviser(ABC):
    """Base class of the advisers of all kinds, which share `steps` and `near`."""

    purpose: Purpose
    settings: Settings
    seed: int | None = None
    notes: list[Message] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    candidates: dict[str, Candidate] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    budget: Budget = field(default_factory=lambda: Budget(None, None))

    @abstractmethod
    def first(self) -> Iterable[Proposal]:
        """Proposals that are always tried, the most useful first."""

    @abstractmethod
    def further(self) -> Iterable[Proposal]:
        """Further proposals, based on the candidates so far; none: the search ends."""

    @abstractmethod
    def proposals_near(
        self, candidate: Candidate, wish: Wish, column: str | None
    ) -> Iterable[Proposal]:
        """Proposals near a candidate that fulfil a wish; `column` is the one to drop."""

    @abstractmethod
    def evaluate_proposal(self, proposal: Proposal, id: str) -> Candidate:
        """The candidate with all figures that need no attack."""

    @abstractmethod
    def attacked(self, candidate: Candidate) -> Candidate:
        """The candidate, evaluated just before, with attacks and its reason in a sentence."""

    @abstractmethod
    def release(self, request: Request, *, seed: int | None = None) -> Any:
        """The release that a candidate stands for, proven; with the adviser's seed if none."""

    def steps(
        self, *, seconds: float | None = None, steps: int | None = None
    ) -> Iterator[Candidate]:
        """Candidates as they finish: each measured first, then again if it was attacked.

        `on_front` is told among all that were found up to then.
        """
        yield from self._try_proposals(self._iterate_proposals(), seconds, steps, attack_all=False)

    def near(
        self,
        candidate: Candidate,
        wish: Wish,
        *,
        column: str | None = None,
        seconds: float | None = None,
        steps: int | None = None,
    ) -> Iterator[Candidate]:
        """New candidates near another, in the same way; all of them are attacked."""
        self.candidates.setdefault(candidate.id, candidate)
        nearby_proposals = self.proposals_near(candidate, wish, column)
        linked_proposals = (replace(proposal, near=candidate.id) for proposal in nearby_proposals)
        yield from self._try_proposals(linked_proposals, seconds, steps, attack_all=True)

    def try_proposals(
        self, proposals: Iterable[Proposal], *, seconds: float | None = None
    ) -> Iterator[Candidate]:
        """Candidates of the caller's own proposals; all of them are attacked."""
        yield from self._try_proposals(proposals, seconds, None, attack_all=True)

    def advice(self) -> Advice:
        """Everything that was found so far."""
        return Advice(
            self.purpose,
            self.settings,
            mark_pareto_front(self.candidates.values()),
            tuple(self.skipped),
            self.budget,
            tuple(self.notes),
        )

    def _iterate_proposals(self) -> Iterator[Proposal]:
        yield from self.first()
        while new_proposals := [
            proposal for proposal in self.further() if self._is_untried(proposal.request)
        ]:
            yield from new_proposals

    def _is_untried(self, request: Request) -> bool:
        id = hash_request(request)
        return id not in self.candidates and id not in self.failed

    def _try_proposals(
        self,
        proposals: Iterable[Proposal],
        seconds: float | None,
        steps: int | None,
        *,
        attack_all: bool,
    ) -> Iterator[Candidate]:
        start_time = time.monotonic()
        self.budget = budget = Budget(seconds, steps, ended="cancelled")
        for proposal in proposals:
            id = hash_request(proposal.request)
            if not self._is_untried(proposal.request):
                continue
            if ended := _exhausted_budget(budget, time.monotonic() - start_time):
                self.budget = replace(budget, ended=ended)
                return
            self.budget = budget = replace(budget, used=budget.used + 1)
            try:
                evaluated = self.evaluate_proposal(proposal, id)
                if duplicate := self._find_duplicate(evaluated):
                    same = Message(
                        "gives the same result as {candidate}",
                        candidate=duplicate.title,
                    )
                    self._record_skipped(id, proposal, same, "same-result")
                    continue
                candidate = self._store_candidate(evaluated)
                yield candidate
                if attack_all or self._is_near_front(candidate):
                    candidate = self._store_candidate(self.attacked(candidate))
                    self.budget = budget = replace(budget, used=budget.used + 1)
                    yield candidate
            except TokumeiError as err:
                self.candidates.pop(id, None)
                self._record_skipped(id, proposal, err.message, type(err).__name__)
        self.budget = replace(budget, ended="done")

    def _find_duplicate(self, candidate: Candidate) -> Candidate | None:
        """A candidate that was found before and is the same in every figure."""
        figures = _without_attack_figures(candidate.figures)
        for earlier in self.candidates.values():
            if _without_attack_figures(earlier.figures) == figures:
                return earlier
        return None

    def _record_skipped(self, id: str, proposal: Proposal, why: Message, code: str) -> None:
        self.failed.add(id)
        self.skipped.append(Skipped(proposal.why, why, code))

    def _store_candidate(self, candidate: Candidate) -> Candidate:
        self.candidates[candidate.id] = candidate
        for updated in mark_pareto_front(self.candidates.values()):
            self.candidates[updated.id] = updated
        return self.candidates[candidate.id]

    def _is_near_front(self, candidate: Candidate) -> bool:
        """Whether no other candidate is clearly better by the figures that need no attack."""
        loss, risk = candidate.figures.loss, candidate.figures.estimate
        return not any(
            other.figures.loss < loss - CLEAR_LOSS_GAP
            and other.figures.estimate <= CLEAR_RISK_RATIO * risk
            for other in self.candidates.values()
            if other.id != candidate.id
        )


def _without_attack_figures(figures: Figures) -> Figures:
    return replace(figures, known=None, everything=None, telling={})


def _exhausted_budget(budget: Budget, spent: float) -> Literal["steps", "seconds"] | None:
    if budget.steps is not None and budget.used >= budget.steps:
        return "steps"
    # The first candidate is made whatever it takes.
    if budget.seconds is not None and budget.used and spent >= budget.seconds:
        return "seconds"
    return None


def hash_request(request: Request) -> str:
    """Twelve letters that stand for a request: equal requests, equal letters."""
    text = json.dumps(request.as_json(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
