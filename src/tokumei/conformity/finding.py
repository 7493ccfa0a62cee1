"""What a check found: PASS, FAIL or NEEDS-HUMAN, with evidence that shows no raw value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tokumei.conformity.clauses import CLAUSES
from tokumei.core.text import Text

LINES_SHOWN = 10


class Verdict(StrEnum):
    """What follows from the evidence; never that a release is lawful."""

    PASS = "PASS"
    FAIL = "FAIL"
    HUMAN = "NEEDS-HUMAN"

    @property
    def word(self) -> Text:
        """What a person reads; data keep the value."""
        return WORDS[self]


WORDS = {
    Verdict.PASS: Text("PASS", "合格"),
    Verdict.FAIL: Text("FAIL", "不合格"),
    Verdict.HUMAN: Text("NEEDS-HUMAN", "要確認"),
}


@dataclass(frozen=True)
class Evidence:
    """One observation: what, in which column, on which lines of the release, how often."""

    what: Text
    column: str | None = None
    total: int | None = None
    lines: tuple[int, ...] = ()

    @classmethod
    def at(cls, what: Text, column: str | None, lines: Sequence[int]) -> Evidence:
        """An observation on the given lines, of which the first few are listed."""
        return cls(what, column, len(lines), tuple(int(line) for line in lines[:LINES_SHOWN]))

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "what_en": self.what.en,
            "what_ja": self.what.ja,
            "column": self.column,
            "total": self.total,
            "lines": list(self.lines),
        }


@dataclass(frozen=True)
class Finding:
    """The outcome of one check. `item` is the number in Article 34 that it serves."""

    id: str
    item: int
    verdict: Verdict
    title: Text
    summary: Text
    evidence: tuple[Evidence, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain data, in both languages."""
        clause = CLAUSES[self.item]
        return {
            "id": self.id,
            "item": self.item,
            "clause_en": clause.source.en,
            "clause_ja": clause.source.ja,
            "verdict": self.verdict.value,
            "title_en": self.title.en,
            "title_ja": self.title.ja,
            "summary_en": self.summary.en,
            "summary_ja": self.summary.ja,
            "evidence": [evidence.as_json() for evidence in self.evidence],
            "figures": dict(self.figures),
        }


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """FAIL before NEEDS-HUMAN before PASS."""
    for verdict in (Verdict.FAIL, Verdict.HUMAN):
        if verdict in verdicts:
            return verdict
    return Verdict.PASS
