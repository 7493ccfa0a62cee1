"""What the tests split from test_advice share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tokumei.advice import Adviser, AttackEstimate, Candidate, Figures, Proposal, Purpose, Request
from tokumei.core.errors import InputError
from tokumei.core.messages import Message

WORDS = Message.of_texts({"en": "why", "ja": "理由"})


def figures(loss: float, estimate: float) -> Figures:
    return Figures(loss, {}, 2, 1, 0, 0, 1.0, 100, estimate=estimate)


def candidate(number: int, loss: float, people: float | None) -> Candidate:
    found = None if people is None else AttackEstimate("everything", people, 0, 100, 1, 100)
    request = Request("shop", ({"method": "any", "k": number},))
    return Candidate(str(number), request, replace(figures(loss, 0.5), known=found), WORDS, WORDS)


@dataclass(eq=False)
class Shop(Adviser):
    """Releases that are known beforehand: k loses k / 100 and leaves 100 / k people."""

    ks: tuple[int, ...] = (8, 2, 4, 16)
    attacks: list[int] = field(default_factory=list)

    def first(self) -> Iterable[Proposal]:
        return [Proposal(self._request(k), WORDS) for k in self.ks]

    def further(self) -> Iterable[Proposal]:
        best = self.advice().front
        return [Proposal(self._request((one.request.k or 0) + 1), WORDS) for one in best]

    def proposals_near(self, candidate, wish, column):  # type: ignore[no-untyped-def]
        return [Proposal(self._request(3 * (candidate.request.k or 0)), WORDS)]

    def evaluate_proposal(self, proposal: Proposal, id: str) -> Candidate:
        k = proposal.request.k or 0
        if k == 4:
            raise InputError(Message.of_texts({"en": "no fours", "ja": "4 は不可"}))
        loss = 0.9 if k == 16 else k / 100
        made = figures(min(loss, 0.2), 0.5 if k == 16 else 1 / min(k, 20))
        return Candidate(id, proposal.request, made, proposal.why, WORDS, near=proposal.near)

    def attacked(self, candidate: Candidate) -> Candidate:
        k = candidate.request.k or 0
        self.attacks.append(k)
        found = AttackEstimate("everything", 100 / k, 0, 100, 1, 100)
        return replace(candidate, figures=replace(candidate.figures, known=found))

    def release(self, request: Request, *, seed: int | None = None) -> None:
        return None

    def _request(self, k: int) -> Request:
        return Request("shop", ({"method": "any", "k": k},))


def shop() -> Shop:
    purpose = Purpose()
    return Shop(purpose, purpose.settings)
