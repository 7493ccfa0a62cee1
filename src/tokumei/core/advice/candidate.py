"""A candidate release: its request, figures, attack estimates and reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tokumei.core.advice.request import Request
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message


@dataclass(frozen=True)
class AttackEstimate:
    """How many people an attack finds, with an interval and what a blind guess would find.

    `people` is the share of those attacked times all who are released. `of`: the people (rows, if
    they are not told apart) in the release. `sample`: how many released rows were attacked, if
    not all of them; the interval accounts for it.
    """

    attack: str
    people: float
    low: float
    high: float
    baseline: float
    of: int
    sample: int | None = None

    @property
    def share(self) -> float:
        """The part of the people who are found."""
        return self.people / self.of if self.of else 0.0

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {**vars(self), "share": self.share}


@dataclass(frozen=True)
class Figures:
    """The figures of a candidate; an attack that was not run is None.

    `loss`: the mean of `losses` (by column, 0 to 1, a row left out counts as lost) with the
    purpose's weights. `known`: the strongest attack of somebody who knows the columns that the
    purpose names; `everything`: of somebody who knows every public column. `smallest`: the
    smallest class by the generalized columns, `joint` by all public columns; `alone`: rows
    unlike all others by all public columns. `at_risk`: people who share what the attacker that
    counts knows with fewer than k - 1 others. `rows_kept`: the share of the source's rows.
    `telling`: by column, the share of people who would not stand out if the attacker did not know
    it. `more`: what else the purpose asks for (tables), by name.
    """

    loss: float
    losses: Mapping[str, float]
    smallest: int
    joint: int
    alone: int
    at_risk: int
    rows_kept: float
    people: int
    counts_people: bool = False
    estimate: float = 0.0
    """Share found, estimated from class sizes before any attack was run."""
    known: AttackEstimate | None = None
    everything: AttackEstimate | None = None
    telling: Mapping[str, float] = field(default_factory=dict)
    more: Mapping[str, float] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {
            **vars(self),
            "losses": dict(self.losses),
            "known": None if self.known is None else self.known.as_json(),
            "everything": None if self.everything is None else self.everything.as_json(),
            "telling": dict(self.telling),
            "more": dict(self.more),
        }


@dataclass(frozen=True)
class Candidate:
    """One possible release. `id` is the same wherever the same request is evaluated.

    `risk`: the attack that the purpose counts, `known` or `everything`. `on_front`: no other
    attacked candidate is at most as bad in loss and risk and better in one. Candidates arrive
    first with class sizes, then again (same `id`) with attacks, if they are near the front.
    """

    id: str
    request: Request
    figures: Figures
    reason: Message
    title: Message
    counted: str = "known"
    on_front: bool = False
    near: str | None = None
    """The id of the candidate from which this one was asked for."""

    @property
    def risk(self) -> AttackEstimate | None:
        """The attack that counts for the purpose; None: not attacked."""
        return self.figures.known if self.counted == "known" else self.figures.everything

    @property
    def attacked(self) -> bool:
        """Whether the attack that counts was run."""
        return self.risk is not None

    def as_json(self) -> JsonObject:
        """Plain data; no cell of the source is in it."""
        return {
            "id": self.id,
            **self.title.as_json("title"),
            **self.reason.as_json("reason"),
            "on_front": self.on_front,
            "counted": self.counted,
            "near": self.near,
            "request": self.request.as_json(),
            "figures": self.figures.as_json(),
        }
