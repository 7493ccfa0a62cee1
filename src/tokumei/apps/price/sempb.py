"""The search of paper 002 (SEMPB) exactly as its listing prints it, beside the proven one.

    found = run_sempb(problem)
    found.steps                  # the word patterns that were tried, in order
    found.candidate, found.k     # None if no step made the table 2-anonymous

All word patterns of all attributes stand in one list by price, the most expensive first. The
listing counts from `num = 1`, and `limit num, 1` leaves out so many lines: the most expensive
pattern is never tried. Each step copies the original table anew and rewrites one attribute, so that
the others stay as they were; the search ends when the smallest group has two people.
`from_first=True` starts with the most expensive pattern; `keep=True` keeps what earlier steps
rewrote, which is what the text seems to mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.apps.price.problem import Candidate, PriceProblem
from tokumei.apps.price.session import recount_groups
from tokumei.core.messages import Message, join_sentences

WANTED_K = 2


@dataclass(frozen=True)
class SempbStep:
    """One word pattern that was tried: what it is worth, and the smallest group after it."""

    attribute: str
    pattern: str
    value: float
    k: int


@dataclass(frozen=True)
class SempbSearch:
    """The steps, and the recoding that the search ends with, if it ends."""

    steps: tuple[SempbStep, ...]
    candidate: Candidate | None
    value: float

    @property
    def k(self) -> int:
        """The smallest group after the last step."""
        return self.steps[-1].k if self.steps else 0


def run_sempb(
    problem: PriceProblem, *, from_first: bool = False, keep: bool = False
) -> SempbSearch:
    """Try word patterns by falling price until the table is 2-anonymous."""
    originals = tuple(attribute.place("original") for attribute in problem.attributes)
    ranked = sorted(
        (-worth, number, place)
        for number, attribute in enumerate(problem.attributes)
        for place, worth in enumerate(attribute.worth)
    )
    current, steps = originals, list[SempbStep]()
    for worth, number, place in ranked[0 if from_first else 1 :]:
        base = current if keep else originals
        current = (*base[:number], place, *base[number + 1 :])
        attribute = problem.attributes[number]
        k = int(recount_groups(problem, current).sizes[0])
        pattern = attribute.patterns[place].name
        steps.append(SempbStep(attribute.name, pattern, problem.money(-worth), k))
        if k >= WANTED_K:
            return SempbSearch(tuple(steps), current, problem.money(problem.worth(current)))
    return SempbSearch(tuple(steps), None, 0.0)


def describe_sempb(problem: PriceProblem) -> Message:
    """Where the search ends as it is printed, and as it may be meant."""
    printed, meant = run_sempb(problem), run_sempb(problem, from_first=True, keep=True)
    return join_sentences(
        [
            _describe_end(
                printed,
                Message(
                    "SEMPB exactly as printed, which leaves out the most expensive pattern and "
                    "rewrites one attribute at a time, is 2-anonymous after {steps} steps, value "
                    "{value:,.0f}."
                ),
                Message(
                    "SEMPB exactly as printed, which leaves out the most expensive pattern and "
                    "rewrites one attribute at a time, tries all {steps} others and never becomes "
                    "2-anonymous."
                ),
            ),
            _describe_end(
                meant,
                Message(
                    "From the first pattern on, keeping what was rewritten, it is 2-anonymous "
                    "after {steps} steps, value {value:,.0f}."
                ),
                Message(
                    "From the first pattern on, keeping what was rewritten, it never becomes "
                    "2-anonymous either, in {steps} steps."
                ),
            ),
        ]
    )


def _describe_end(search: SempbSearch, reached: Message, missed: Message) -> Message:
    sentence = missed if search.candidate is None else reached
    return sentence.fill(steps=len(search.steps), value=search.value)
