"""The k-anonymous candidate of the highest value, proven: A* over prefixes of the attributes.

    answers = Search(problem, groups, Question(k=5)).run()

A prefix is worth at most what it is worth so far, plus the best pattern of every open attribute
that no one and no two patterns of the prefix forbid. Groups only shrink when attributes are added
or refined, so a prefix whose groups are too small is dropped with everything below it. Left-out
rows cost value: a whole candidate goes back with what it is really worth, and is taken when it is
still on top.

Equal values: more words first, then the names of the patterns in the order of the attributes.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tokumei.price.groups import Groups, GroupView
from tokumei.price.problem import DELETE, Answer, Candidate, PriceProblem, Question
from tokumei.price.ranks import Rank, Ranks, guesses


def real_worth(
    problem: PriceProblem, groups: GroupView, candidate: Candidate, k: int
) -> tuple[int, ...]:
    """The value of every attribute without the people in groups smaller than k."""
    chosen = list(zip(problem.attributes, candidate, strict=True))
    worth = [0 if place == DELETE else one.worth[place] for one, place in chosen]
    if not groups.sizes(candidate).rows_below(k):
        return tuple(worth)
    every, counts = groups.words(candidate)
    small = np.flatnonzero(counts < k)
    for j, ((one, place), words) in enumerate(zip(chosen, every, strict=True)):
        if place != DELETE and words is not None:
            lost = counts[small] @ one.patterns[place].first_prices[words[small]]
            worth[j] -= int(lost)
    return tuple(worth)


@dataclass(order=True)
class _Node:
    """Patterns of the first attributes in search order; `worth` once it is really known."""

    rank: Rank
    chosen: tuple[int, ...]
    worth: tuple[int, ...] | None = field(default=None, compare=False)


class _Stopped(Exception):
    """Time is up, or nobody wants the answer any more."""


class Search:
    """One question's search; the groups outlive it."""

    def __init__(
        self,
        problem: PriceProblem,
        groups: Groups,
        question: Question,
        *,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        question.require(problem)
        self._cancelled = cancelled
        seconds = float("inf") if question.seconds is None else question.seconds
        self._stop = time.monotonic() + seconds
        self._problem, self._groups, self._question = problem, groups.view(problem), question
        self._budget = int(question.suppression * problem.rows + 1e-9)
        self._least = question.floors(problem)
        sizes = [len(one.values) for one in problem.attributes]
        self._order = sorted(range(len(sizes)), key=lambda j: (-sizes[j], j))
        self._found: _Node | None = None

    def run(self) -> list[Answer]:
        """The best answers; when time runs out those so far, with the bound that holds."""
        heap: list[_Node] = []
        accepted: list[_Node] = []
        allowed = self._question.allowed(self._problem)
        if all(DELETE in patterns for patterns in allowed):
            nothing = (DELETE,) * len(allowed)
            self._found = _Node((0, 0, 0), nothing, (0,) * len(allowed))
        try:
            self._ranks = Ranks(self._problem, allowed, self._order, self._holds)
            first = self._ranks.of(())
            heap += [] if first is None else [_Node(first, ())]
            if heap and self._question.seconds is not None:
                self._guess()
            self._search(heap, accepted)
        except _Stopped:
            bound = -heap[0].rank[0] if heap else self._most(allowed)
            return self._unproven(accepted, bound)
        return [self._answer(node, -node.rank[0], True) for node in accepted]

    def _search(self, heap: list[_Node], accepted: list[_Node]) -> None:
        """Take nodes from the heap; one under way stays on top, so that its bound counts."""
        taken = 0
        while heap and len(accepted) < self._question.best:
            node = heap[0]
            taken += 1
            if taken & (taken - 1) == 0 and self._question.seconds is not None:
                self._dive(node)
            if node.worth is not None:
                accepted.append(node)
            holds = node.worth is None and self._holds(self._whole(node.chosen))
            below = self._below(node) if holds else []
            heapq.heappop(heap)
            for child in below:
                heapq.heappush(heap, child)

    def _below(self, node: _Node) -> list[_Node]:
        if len(node.chosen) == len(self._order):
            weighed = self._weighed(node)
            return [] if weighed is None else [weighed]
        found = []
        place, taken = self._order[len(node.chosen)], self._ranks.taken(node.chosen)
        for pattern in self._ranks.allowed[place]:
            if self._ranks.fits(place, pattern, taken):
                chosen = (*node.chosen, pattern)
                rank = self._ranks.of(chosen)
                found += [] if rank is None else [_Node(rank, chosen)]
        return found

    def _weighed(self, node: _Node) -> _Node | None:
        """The candidate with what it is really worth; None if too little or nobody is left."""
        candidate = self._whole(node.chosen)
        if not self._groups.sizes(candidate).smallest_from(self._question.k):
            return None
        worth = real_worth(self._problem, self._groups, candidate, self._question.k)
        if any(value < least for value, least in zip(worth, self._least, strict=True)):
            return None
        return _Node((-sum(worth), *node.rank[1:]), node.chosen, worth)

    def _holds(self, candidate: Candidate) -> bool:
        if time.monotonic() > self._stop or self._cancelled():
            raise _Stopped
        return self._groups.sizes(candidate).rows_below(self._question.k) <= self._budget

    def _whole(self, chosen: tuple[int, ...]) -> Candidate:
        """The chosen patterns in the order of the attributes; open ones are left out."""
        candidate = [DELETE] * len(self._order)
        for place, pattern in zip(self._order, chosen, strict=False):
            candidate[place] = pattern
        return tuple(candidate)

    def _guess(self) -> None:
        """Good answers before the search begins."""
        k = self._question.k
        for candidate in guesses(self._problem, self._ranks.allowed, k, self._holds):
            self._remember(tuple(candidate[place] for place in self._order))

    def _dive(self, node: _Node) -> None:
        """Complete a prefix, always by the best pattern that holds: an answer for the meantime."""
        chosen = node.chosen
        if not self._holds(self._whole(chosen)):
            return
        while len(chosen) < len(self._order):
            tries = [(*chosen, p) for p in self._ranks.allowed[self._order[len(chosen)]]]
            ranked = [(rank, new) for new in tries if (rank := self._ranks.of(new)) is not None]
            able = (new for _, new in sorted(ranked) if self._holds(self._whole(new)))
            chosen = next(able, ())
            if not chosen:
                return
        self._remember(chosen)

    def _remember(self, chosen: tuple[int, ...]) -> None:
        found = self._weighed(_Node(self._ranks.so_far(chosen), chosen))
        if found is not None and (self._found is None or found < self._found):
            self._found = found

    def _most(self, allowed: list[list[int]]) -> int:
        """What no candidate is worth more than: the best pattern of every attribute."""
        most = 0
        for one, patterns in zip(self._problem.attributes, allowed, strict=True):
            most += max((one.worth[place] for place in patterns if place != DELETE), default=0)
        return most

    def _unproven(self, accepted: list[_Node], bound: int) -> list[Answer]:
        proven = [self._answer(node, -node.rank[0], True) for node in accepted]
        if accepted or self._found is None:
            return proven
        return [self._answer(self._found, bound, -self._found.rank[0] >= bound)]

    def _answer(self, node: _Node, bound: int, optimal: bool) -> Answer:
        candidate = self._whole(node.chosen)
        sizes = self._groups.sizes(candidate)
        return Answer(
            candidate,
            sum(node.worth or ()),
            node.worth or (),
            sizes.smallest_from(self._question.k),
            sizes.rows_below(self._question.k),
            optimal,
            bound,
        )
