"""Adviser of pseudonyms over time: candidates by the lifetime of a pseudonym.

Somebody is taken to know a part of everybody's purchases, as `tokumei lifetime` does; the risk is
how many customers are found again behind their pseudonyms, the loss the worst of the judge's
measures of what the purchases are still good for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from tokumei.core.advice.advice import Wish
from tokumei.core.advice.adviser import Adviser, Proposal
from tokumei.core.advice.candidate import AttackEstimate, Candidate, Figures
from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import Request
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.period_history import PeriodHistory, PurchaseHistory, to_period_history
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.flow import anonymize, attack_periods, measure
from tokumei.pseudonyms.link_rate import score_link_guess
from tokumei.pseudonyms.registry import anonymizers
from tokumei.pseudonyms.services.requests import CONTEST_KNOWLEDGE, UTILITY_MEASURES

METHOD_NAME, ATTACK_NAME, WORST_MEASURE = "pseudonyms", "best", "worst"
KNOWN_SHARE, HIGH_RISK_SHARE = 0.25, 0.1
LIFETIME_GRID = (1, 2, 3, 6, 12)
KNOWLEDGE_NOTE = Message(
    "The risk is counted for somebody who knows a quarter of all purchases of everybody, each with "
    "the first two characters of its article."
)


@dataclass(eq=False, kw_only=True)
class PeriodAdviser(Adviser):
    """Candidates for the release of a history under changing pseudonyms."""

    history: PeriodHistory
    made: tuple[str, PeriodRelease] | None = None
    known: PeriodRows | None = None

    def first(self) -> Iterator[Proposal]:
        """The shortest and the longest lifetime, then the grid between them."""
        months = self.history.months.count
        grid = sorted(
            {*(months_used for months_used in LIFETIME_GRID if months_used < months), months}
        )
        for lifetime in dict.fromkeys([grid[0], grid[-1], *grid]):
            yield Proposal(_build_request(lifetime), _describe_lifetime(lifetime))

    def further(self) -> Iterator[Proposal]:
        """Coarser days where many are found, and a lifetime between neighbours."""
        for candidate in self.advice().front:
            step = candidate.request.steps[0]
            if (
                candidate.risk is not None
                and candidate.risk.share > HIGH_RISK_SHARE
                and "day" not in step
            ):
                yield Proposal(_build_request(int(step["lifetime"]), day=15), FIXED_DAY_REASON)
        tried = sorted(
            {int(candidate.request.steps[0]["lifetime"]) for candidate in self.candidates.values()}
        )
        for low, high in pairwise(tried):
            if high - low > 1:
                middle = (low + high) // 2
                yield Proposal(_build_request(middle), _describe_lifetime(middle))

    def proposals_near(
        self, candidate: Candidate, wish: Wish, column: str | None
    ) -> Iterable[Proposal]:
        """A shorter lifetime and coarser days, or a longer one."""
        step, months = candidate.request.steps[0], self.history.months.count
        lifetime = int(step["lifetime"])
        if wish == "safer":
            shorter = sorted({max(1, lifetime // 2), max(1, lifetime - 1)} - {lifetime})
            proposals = [
                Proposal(_build_request(months_used), _describe_lifetime(months_used))
                for months_used in shorter
            ]
            if "day" not in step:
                proposals.append(Proposal(_build_request(lifetime, day=15), FIXED_DAY_REASON))
            return proposals
        if wish == "more detail":
            longer = sorted({min(months, lifetime + 1), min(months, 2 * lifetime)} - {lifetime})
            return [
                Proposal(_build_request(months_used), _describe_lifetime(months_used))
                for months_used in longer
            ]
        raise UsageError("pseudonyms over time have no candidates for '{wish}'", wish=wish)

    def evaluate_proposal(self, proposal: Proposal, id: str) -> Candidate:
        """Make and prove the release, and measure what it is still good for."""
        release = self.release(proposal.request)
        self.made = (id, release)
        scores = measure(self.history, release, methods=[*UTILITY_MEASURES])
        people = len(self.history.master.customers)
        pseudonym_count = max(len(release.public.people), 1)
        figures = Figures(
            loss=min(1.0, scores[WORST_MEASURE].value),
            losses={
                name: min(1.0, score.value)
                for name, score in scores.items()
                if name != WORST_MEASURE
            },
            smallest=1,
            joint=1,
            alone=pseudonym_count,
            at_risk=people,
            rows_kept=release.public.rows / self.history.rows.rows,
            people=people,
            counts_people=True,
            estimate=min(1.0, people / pseudonym_count),
        )
        title, reason = _candidate_title(proposal.request), proposal.reason
        return Candidate(id, proposal.request, figures, reason, title, "known", near=proposal.near)

    def attacked(self, candidate: Candidate) -> Candidate:
        """How many customers are found again, with their interval."""
        cached_release, self.made = self.made, None
        release = (
            cached_release[1]
            if cached_release and cached_release[0] == candidate.id
            else self.release(candidate.request)
        )
        guess = attack_periods(
            self.history, release, known=self._known_rows, methods=[ATTACK_NAME], seed=self.seed
        )[ATTACK_NAME]
        links, people = score_link_guess(guess, release.table), candidate.figures.people
        rate, low, high, blind = (
            part * people for part in (links.rate, links.low, links.high, links.baseline)
        )
        estimate = AttackEstimate(ATTACK_NAME, rate, low, high, blind, people)
        return replace(candidate, figures=replace(candidate.figures, known=estimate))

    def release(self, request: Request, *, seed: int | None = None) -> PeriodRelease:
        """The release that a candidate stands for, proven."""
        step = dict(request.steps[0])
        method = anonymizers.build(str(step.pop("method")), step)
        used_seed = self.seed if seed is None else seed
        return anonymize(self.history, method, seed=used_seed)

    @property
    def _known_rows(self) -> PeriodRows:
        """The same rows are known whatever the lifetime, so that nothing else differs."""
        if self.known is None:
            knowledge = replace(CONTEST_KNOWLEDGE, alpha=KNOWN_SHARE)
            self.known = knowledge.of(self.history.rows, rng=Randomness(self.seed))
        return self.known


def period_adviser(
    source: PeriodHistory | PurchaseHistory, purpose: Purpose, *, seed: int | None = 1
) -> PeriodAdviser:
    """Build the adviser of a history to be released period by period."""
    settings = replace(purpose.settings, counted="known", models=(), suppression=0.0)
    return PeriodAdviser(
        purpose, settings, seed, [KNOWLEDGE_NOTE], history=to_period_history(source)
    )


FIXED_DAY_REASON = Message(
    "shows every purchase on the same day of its month, so that days reveal less",
    stable_code="fixed-day",
)


def _build_request(lifetime: int, **more: int) -> Request:
    return Request("pseudonyms", ({"method": METHOD_NAME, "lifetime": lifetime, **more},))


def _describe_lifetime(lifetime: int) -> Message:
    return Message(
        "shows what a pseudonym that lives for one month costs and brings",
        plural="shows what a pseudonym that lives for {count} months costs and brings",
        count=lifetime,
        stable_code="grid",
    )


def _candidate_title(request: Request) -> Message:
    step = request.steps[0]
    months = int(step["lifetime"])
    if months == 1:
        return (
            Message("A new pseudonym every month, days by month")
            if "day" in step
            else Message("A new pseudonym every month")
        )
    return Message(
        "A pseudonym for {months} months, days by month"
        if "day" in step
        else "A pseudonym for {months} months",
        months=months,
    )
