"""The adviser of pseudonyms over time: candidates by the lifetime of a pseudonym, on its curve.

Somebody is taken to know a part of everybody's purchases, as `tokumei lifetime` does; the risk is
how many customers are found again behind their pseudonyms, the loss the worst of the judge's
measures of what the purchases are still good for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from tokumei.core.advice.advice import Wish
from tokumei.core.advice.adviser import Adviser, Proposal
from tokumei.core.advice.candidate import Candidate, Figures, Found
from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import Request
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.pseudonyms.data.history import PeriodHistory, periods_of
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.data.rows import PeriodRows
from tokumei.pseudonyms.flow import anonymize, attack_periods, measure
from tokumei.pseudonyms.lifetime import KNOWLEDGE, UTILITY
from tokumei.pseudonyms.links import pseudonym_links
from tokumei.pseudonyms.registry import anonymizers

METHOD, ATTACK, WORST = "pseudonyms", "best", "worst"
ALPHA, MANY = 0.25, 0.1
GRID = (1, 2, 3, 6, 12)
KNOWS = Text(
    "The risk is counted for somebody who knows a quarter of all purchases of everybody, each with "
    "the first two characters of its article.",
    "リスクは、全員の購買の 4 分の 1 を (商品は先頭 2 文字まで) 知る人について数えます。",
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
        grid = sorted({*(one for one in GRID if one < months), months})
        for lifetime in dict.fromkeys([grid[0], grid[-1], *grid]):
            yield Proposal(_request(lifetime), _shows(lifetime))

    def further(self) -> Iterator[Proposal]:
        """Coarser days where many are found, and a lifetime between neighbours."""
        for one in self.advice().front:
            step = one.request.steps[0]
            if one.risk is not None and one.risk.share > MANY and "day" not in step:
                yield Proposal(_request(int(step["lifetime"]), day=15), BY_MONTH)
        tried = sorted({int(one.request.steps[0]["lifetime"]) for one in self.found.values()})
        for low, high in pairwise(tried):
            if high - low > 1:
                middle = (low + high) // 2
                yield Proposal(_request(middle), _shows(middle))

    def close_to(self, candidate: Candidate, wish: Wish, column: str | None) -> Iterable[Proposal]:
        """A shorter lifetime and coarser days, or a longer one."""
        step, months = candidate.request.steps[0], self.history.months.count
        lifetime = int(step["lifetime"])
        if wish == "safer":
            shorter = sorted({max(1, lifetime // 2), max(1, lifetime - 1)} - {lifetime})
            found = [Proposal(_request(one), _shows(one)) for one in shorter]
            if "day" not in step:
                found.append(Proposal(_request(lifetime, day=15), BY_MONTH))
            return found
        if wish == "more detail":
            longer = sorted({min(months, lifetime + 1), min(months, 2 * lifetime)} - {lifetime})
            return [Proposal(_request(one), _shows(one)) for one in longer]
        raise UsageError(
            f"pseudonyms over time have no candidates for '{wish}'",
            f"期間ごとの仮名では '{wish}' の候補を作れません",
        )

    def evaluated(self, proposal: Proposal, id: str) -> Candidate:
        """Make and prove the release, and measure what it is still good for."""
        release = self.release(proposal.request)
        self.made = (id, release)
        scores = measure(self.history, release, methods=[*UTILITY])
        people = len(self.history.master.customers)
        named = max(len(release.public.people), 1)
        figures = Figures(
            loss=min(1.0, scores[WORST].value),
            losses={name: min(1.0, one.value) for name, one in scores.items() if name != WORST},
            smallest=1,
            joint=1,
            alone=named,
            at_risk=people,
            rows_kept=release.public.rows / self.history.rows.rows,
            people=people,
            counts_people=True,
            estimate=min(1.0, people / named),
        )
        title, reason = _title(proposal.request), proposal.reason
        return Candidate(id, proposal.request, figures, reason, title, "known", near=proposal.near)

    def attacked(self, candidate: Candidate) -> Candidate:
        """How many customers are found again, with their interval."""
        made, self.made = self.made, None
        release = made[1] if made and made[0] == candidate.id else self.release(candidate.request)
        guess = attack_periods(
            self.history, release, known=self._known, methods=[ATTACK], seed=self.seed
        )[ATTACK]
        links, people = pseudonym_links(guess, release.table), candidate.figures.people
        rate, low, high, blind = (
            part * people for part in (links.rate, links.low, links.high, links.baseline)
        )
        found = Found(ATTACK, rate, low, high, blind, people)
        return replace(candidate, figures=replace(candidate.figures, known=found))

    def release(self, request: Request, *, seed: int | None = None) -> PeriodRelease:
        """The release that a candidate stands for, proven."""
        step = dict(request.steps[0])
        method = anonymizers.build(str(step.pop("method")), step)
        chance = self.seed if seed is None else seed
        return anonymize(self.history, method, seed=chance)

    @property
    def _known(self) -> PeriodRows:
        """The same rows are known whatever the lifetime, so that nothing else differs."""
        if self.known is None:
            knowledge = replace(KNOWLEDGE, alpha=ALPHA)
            self.known = knowledge.of(self.history.rows, rng=Randomness(self.seed))
        return self.known


def period_adviser(source: Any, purpose: Purpose, *, seed: int | None = 1) -> PeriodAdviser:
    """What gives advice on a history to be released period by period."""
    settings = replace(purpose.settings, counted="known", models=(), suppression=0.0)
    return PeriodAdviser(purpose, settings, seed, [KNOWS], history=periods_of(source))


BY_MONTH = Text(
    "shows every purchase on the same day of its month, so that days tell less",
    "購買日を月内の同じ日にそろえ、日付から分かることを減らします",
)


def _request(lifetime: int, **more: Any) -> Request:
    return Request("pseudonyms", ({"method": METHOD, "lifetime": lifetime, **more},))


def _shows(lifetime: int) -> Text:
    en = "one month" if lifetime == 1 else f"{lifetime} months"
    return Text(
        f"shows what a pseudonym that lives for {en} costs and brings",
        f"仮名を {lifetime} か月使い続けた場合の損失と効果を示します",
    )


def _title(request: Request) -> Text:
    step = request.steps[0]
    months = int(step["lifetime"])
    en = "a new pseudonym every month" if months == 1 else f"a pseudonym for {months} months"
    ja = "毎月新しい仮名" if months == 1 else f"仮名を {months} か月使用"
    coarse = Text(", days by month", "、日付は月単位") if "day" in step else Text("", "")
    return Text(f"{en[0].upper()}{en[1:]}{coarse.en}", f"{ja}{coarse.ja}")
