"""A* search over prefixes of attributes for the k-anonymous candidate of highest value.

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

from tokumei.apps.price.group_sizes import GroupCounter, GroupView
from tokumei.apps.price.local_search import CandidateRank, PrefixRanks, improve_greedily
from tokumei.apps.price.problem import (
    DELETE_INDEX,
    Candidate,
    PriceProblem,
    Question,
    RecodingAnswer,
)


def worth_after_suppression(
    problem: PriceProblem, groups: GroupView, candidate: Candidate, k: int
) -> tuple[int, ...]:
    """The value of every attribute without the people in groups smaller than k."""
    choices = list(zip(problem.attributes, candidate, strict=True))
    worth = [
        0 if pattern_index == DELETE_INDEX else attribute.worth[pattern_index]
        for attribute, pattern_index in choices
    ]
    if not groups.sizes(candidate).rows_below(k):
        return tuple(worth)
    group_words, counts = groups.words_and_counts(candidate)
    small_groups = np.flatnonzero(counts < k)
    for attribute_index, ((attribute, pattern_index), words) in enumerate(
        zip(choices, group_words, strict=True)
    ):
        if pattern_index != DELETE_INDEX and words is not None:
            lost = (
                counts[small_groups]
                @ attribute.patterns[pattern_index].prices_by_first_occurrence[words[small_groups]]
            )
            worth[attribute_index] -= int(lost)
    return tuple(worth)


@dataclass(order=True)
class _SearchNode:
    """Patterns of the first attributes in search order; `worth` once it is really known."""

    rank: CandidateRank
    chosen: tuple[int, ...]
    worth: tuple[int, ...] | None = field(default=None, compare=False)


class _SearchStopped(Exception):
    """Time is up, or nobody wants the answer any more."""


class RecodingSearch:
    """One question's search; the groups outlive it."""

    def __init__(
        self,
        problem: PriceProblem,
        groups: GroupCounter,
        question: Question,
        *,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        question.require_fits(problem)
        self._cancelled = cancelled
        seconds = float("inf") if question.seconds is None else question.seconds
        self._deadline = time.monotonic() + seconds
        self._problem, self._groups, self._question = problem, groups.view(problem), question
        self._budget = int(question.suppression * problem.rows + 1e-9)
        self._floors = question.least_worths(problem)
        sizes = [len(attribute.values) for attribute in problem.attributes]
        self._order = sorted(
            range(len(sizes)),
            key=lambda attribute_index: (-sizes[attribute_index], attribute_index),
        )
        self._best_found: _SearchNode | None = None

    def run(self) -> list[RecodingAnswer]:
        """The best answers; when time runs out those so far, with the bound that holds."""
        heap: list[_SearchNode] = []
        accepted: list[_SearchNode] = []
        allowed = self._question.allowed(self._problem)
        if all(DELETE_INDEX in patterns for patterns in allowed):
            all_deleted = (DELETE_INDEX,) * len(allowed)
            self._best_found = _SearchNode((0, 0, 0), all_deleted, (0,) * len(allowed))
        try:
            self._ranks = PrefixRanks(self._problem, allowed, self._order, self._is_feasible)
            root_rank = self._ranks.of(())
            heap += [] if root_rank is None else [_SearchNode(root_rank, ())]
            if heap and self._question.seconds is not None:
                self._guess_first_answers()
            self._expand_nodes(heap, accepted)
        except _SearchStopped:
            bound = -heap[0].rank[0] if heap else self._upper_bound(allowed)
            return self._unproven_answers(accepted, bound)
        return [self._to_answer(node, -node.rank[0], True) for node in accepted]

    def _expand_nodes(self, heap: list[_SearchNode], accepted: list[_SearchNode]) -> None:
        """Take nodes from the heap; one under way stays on top, so that its bound counts."""
        node_count = 0
        while heap and len(accepted) < self._question.best:
            node = heap[0]
            node_count += 1
            if node_count & (node_count - 1) == 0 and self._question.seconds is not None:
                self._complete_greedily(node)
            if node.worth is not None:
                accepted.append(node)
            feasible = node.worth is None and self._is_feasible(self._to_candidate(node.chosen))
            children = self._expand_node(node) if feasible else []
            heapq.heappop(heap)
            for child in children:
                heapq.heappush(heap, child)

    def _expand_node(self, node: _SearchNode) -> list[_SearchNode]:
        if len(node.chosen) == len(self._order):
            weighed = self._evaluate_node(node)
            return [] if weighed is None else [weighed]
        children = []
        attribute_index, taken_patterns = (
            self._order[len(node.chosen)],
            self._ranks.taken(node.chosen),
        )
        for pattern in self._ranks.allowed[attribute_index]:
            if self._ranks.fits(attribute_index, pattern, taken_patterns):
                chosen = (*node.chosen, pattern)
                rank = self._ranks.of(chosen)
                children += [] if rank is None else [_SearchNode(rank, chosen)]
        return children

    def _evaluate_node(self, node: _SearchNode) -> _SearchNode | None:
        """The candidate with what it is really worth; None if too little or nobody is left."""
        candidate = self._to_candidate(node.chosen)
        if not self._groups.sizes(candidate).smallest_from(self._question.k):
            return None
        worth = worth_after_suppression(self._problem, self._groups, candidate, self._question.k)
        if any(value < least for value, least in zip(worth, self._floors, strict=True)):
            return None
        return _SearchNode((-sum(worth), *node.rank[1:]), node.chosen, worth)

    def _is_feasible(self, candidate: Candidate) -> bool:
        if time.monotonic() > self._deadline or self._cancelled():
            raise _SearchStopped
        return self._groups.sizes(candidate).rows_below(self._question.k) <= self._budget

    def _to_candidate(self, chosen: tuple[int, ...]) -> Candidate:
        """The chosen patterns in the order of the attributes; open ones are left out."""
        candidate = [DELETE_INDEX] * len(self._order)
        for attribute_index, pattern in zip(self._order, chosen, strict=False):
            candidate[attribute_index] = pattern
        return tuple(candidate)

    def _guess_first_answers(self) -> None:
        """Good answers before the search begins."""
        k = self._question.k
        for candidate in improve_greedily(self._problem, self._ranks.allowed, k, self._is_feasible):
            self._remember_if_better(
                tuple(candidate[attribute_index] for attribute_index in self._order)
            )

    def _complete_greedily(self, node: _SearchNode) -> None:
        """Complete a prefix, always by the best pattern that holds: an answer for the meantime."""
        chosen = node.chosen
        if not self._is_feasible(self._to_candidate(chosen)):
            return
        while len(chosen) < len(self._order):
            extensions = [
                (*chosen, pattern) for pattern in self._ranks.allowed[self._order[len(chosen)]]
            ]
            ranked = [
                (rank, extension)
                for extension in extensions
                if (rank := self._ranks.of(extension)) is not None
            ]
            feasible_extensions = (
                extension
                for _, extension in sorted(ranked)
                if self._is_feasible(self._to_candidate(extension))
            )
            chosen = next(feasible_extensions, ())
            if not chosen:
                return
        self._remember_if_better(chosen)

    def _remember_if_better(self, chosen: tuple[int, ...]) -> None:
        weighed_node = self._evaluate_node(_SearchNode(self._ranks.rank_of_prefix(chosen), chosen))
        if weighed_node is not None and (
            self._best_found is None or weighed_node < self._best_found
        ):
            self._best_found = weighed_node

    def _upper_bound(self, allowed: list[list[int]]) -> int:
        """What no candidate is worth more than: the best pattern of every attribute."""
        most = 0
        for attribute, patterns in zip(self._problem.attributes, allowed, strict=True):
            most += max(
                (
                    attribute.worth[pattern_index]
                    for pattern_index in patterns
                    if pattern_index != DELETE_INDEX
                ),
                default=0,
            )
        return most

    def _unproven_answers(self, accepted: list[_SearchNode], bound: int) -> list[RecodingAnswer]:
        proven = [self._to_answer(node, -node.rank[0], True) for node in accepted]
        if accepted or self._best_found is None:
            return proven
        return [self._to_answer(self._best_found, bound, -self._best_found.rank[0] >= bound)]

    def _to_answer(self, node: _SearchNode, bound: int, optimal: bool) -> RecodingAnswer:
        candidate = self._to_candidate(node.chosen)
        sizes = self._groups.sizes(candidate)
        return RecodingAnswer(
            candidate,
            sum(node.worth or ()),
            node.worth or (),
            sizes.smallest_from(self._question.k),
            sizes.rows_below(self._question.k),
            optimal,
            bound,
        )
