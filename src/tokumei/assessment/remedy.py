"""`Remedy`: one change of a release or its scenario, and what it was measured to bring."""

from __future__ import annotations

from dataclasses import dataclass, field

from tokumei.core.messages import Message


@dataclass(frozen=True, kw_only=True)
class Remedy:
    """What to do, and the verdict, the figures and the information kept afterwards.

    `action` and `parameters` are stable; `apply_remedy` makes the release again from them.
    """

    action: str
    parameters: dict[str, object]
    what: Message
    verdict: str
    identified: float
    share: float
    low: float
    high: float
    smallest_class: int | None
    kept: float | None
    certain_values: dict[str, float] = field(default_factory=dict)
    """By sensitive column, of how many people the value is still certain."""

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "what": self.what.show("en"),
            "what_texts": self.what.texts(),
            "action": self.action,
            "parameters": self.parameters,
            "verdict": self.verdict,
            "certain": self.identified,
            "share": self.share,
            "low": self.low,
            "high": self.high,
            "smallest_class": self.smallest_class,
            "kept": self.kept,
            "attribute_certain": self.certain_values,
        }
