"""A frame with two axes.

axes = Axes.around(xs, ys, height=280)
axes.x(0.3), axes.y(0.2)          # "42.86%", 96.0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tokumei.contest.web.charts.svg import element, percent, plain, ticks
from tokumei.core.text import Text


@dataclass(frozen=True)
class Axes:
    """Where values lie in a plot of some height."""

    across: Sequence[float]
    up: Sequence[float]
    height: int

    @classmethod
    def around(cls, xs: Sequence[float], ys: Sequence[float], *, height: int = 280) -> Axes:
        """Axes from nothing (or less) to a round number above all values."""
        across = ticks(min(0.0, *xs), max(xs))
        up = ticks(min(0.0, *ys), max(ys))
        return cls(across, up, height)

    def x(self, value: float) -> str:
        """Where a value lies across."""
        return percent((value - self.across[0]) / (self.across[-1] - self.across[0]))

    def y(self, value: float) -> float:
        """Where a value lies from the top."""
        share = (value - self.up[0]) / (self.up[-1] - self.up[0])
        return round(self.height * (1 - share), 2)

    def levels(self, title: Text) -> list[Markup]:
        """The axis on the left with its lines."""
        lines = [
            element("line", x1=0, x2="100%", y1=self.y(v), y2=self.y(v), class_="grid")
            for v in self.up
        ]
        names = [
            element("text", plain(v), x=-10, y=self.y(v) + 4, text_anchor="end", class_="soft")
            for v in self.up
        ]
        return [*lines, *names, element("text", title, x=-44, y=-14, class_="soft")]

    def columns(self, title: Text) -> list[Markup]:
        """The axis below."""
        below = self.height
        lines = [
            element("line", x1=self.x(v), x2=self.x(v), y1=0, y2=below, class_="grid")
            for v in self.across
        ]
        names = [
            element(
                "text", plain(v), x=self.x(v), y=below + 20, text_anchor="middle", class_="soft"
            )
            for v in self.across
        ]
        end = element("text", title, x="100%", y=below + 42, text_anchor="end", class_="soft")
        return [*lines, *names, end]
