"""Safety and utility of a sweep side by side, without adding them up.

    standards(found)                    # a line per release: loss, 1/k, strongest attack, verdict
    within(found, 0.2).value            # the least loss whose attack stays below a threshold

Loss and risk have different units, so no sum decides: the Pareto front holds what nothing beats in
both, the strongest attack stands with its interval beside 1/k, the contest's test R(n) says whether
the hits show that the release is unsafe, and the threshold is the user's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokumei.core.ask import Listing
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.core.text import Text
from tokumei.histories.data.guess import HistoryHits

FOUND, LOW, HIGH, UNSAFE = (f"strongest_{name}" for name in ("found", "low", "high", "unsafe"))


def strongest_figures(rates: Mapping[str, HistoryHits]) -> dict[str, float]:
    """Rate and interval of the strongest attack, and whether any shows the release to be unsafe."""
    best = max(rates.values(), key=lambda one: one.rate)
    unsafe = any(one.unsafe for one in rates.values())
    return {FOUND: best.rate, LOW: best.low, HIGH: best.high, UNSAFE: float(unsafe)}


@dataclass(frozen=True)
class Standard:
    """One release: loss, 1/k, the strongest attack with its interval, R(n), and the front.

    `as_promised`: the interval of the attack reaches down to 1/k, or lies below it.
    """

    value: Any
    loss: float
    risk: float
    found: float
    low: float
    high: float
    unsafe: bool
    front: bool

    @property
    def as_promised(self) -> bool:
        """Whether the attack finds no more than 1/k, as far as its interval tells."""
        return self.low <= self.risk


def standards(found: Sweep) -> list[Standard]:
    """A line per release of a sweep with attacks."""
    return [
        Standard(
            point.value,
            point.loss,
            point.risk,
            point.measured[FOUND],
            point.measured[LOW],
            point.measured[HIGH],
            bool(point.measured[UNSAFE]),
            front,
        )
        for point, front in zip(found.points, found.front(), strict=True)
    ]


def within(found: Sweep, most: float) -> SweepPoint | None:
    """The release of least loss whose strongest attack finds at most this share, interval too."""
    safe = [point for point in found.points if point.measured[HIGH] <= most]
    return min(safe, key=lambda point: point.loss, default=None)


def standards_listing(found: Sweep) -> Listing:
    """The lines as a table."""
    rows = [
        [
            f"{one.value}",
            f"{one.loss:.4f}",
            f"{one.risk:.4f}",
            f"{one.found:.4f} [{one.low:.4f}; {one.high:.4f}]",
            (YES if one.as_promised else NO).show(),
            (SHOWN if one.unsafe else NOT_SHOWN).show(),
            "●" if one.front else "",
        ]
        for one in standards(found)
    ]
    names = (
        found.parameter,
        Text("loss", "損失"),
        "1/k",
        Text("strongest attack [95 %]", "最も強い攻撃 [95 %]"),
        Text("within 1/k", "1/k 以内"),
        "R(n)",
        Text("Pareto front", "パレート最適"),
    )
    title = Text(f"{found.label}: loss and safety", f"{found.label}: 損失と安全性")
    return Listing(title, names, rows)


YES, NO = Text("yes", "はい"), Text("no", "いいえ")
SHOWN = Text("shown unsafe", "安全でない")
NOT_SHOWN = Text("not shown unsafe", "安全でないとは言えない")


def choice_words(found: Sweep, most: float) -> Text:
    """Which release a threshold chooses."""
    chosen = within(found, most)
    if chosen is None:
        return Text(
            f"{found.label}: no release keeps the strongest attack at {most:.1%} or less",
            f"{found.label}: 最も強い攻撃を {most:.1%} 以下に抑えるものはありません",
        )
    return Text(
        f"{found.label}: {found.parameter} = {chosen.value} has the least loss "
        f"({chosen.loss:.4f}) of those whose strongest attack stays at {most:.1%} or less",
        f"{found.label}: 最も強い攻撃を {most:.1%} 以下に抑えるもののうち、損失が最小なのは "
        f"{found.parameter} = {chosen.value} ({chosen.loss:.4f}) です",
    )
