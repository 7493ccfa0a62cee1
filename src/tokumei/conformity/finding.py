"""A finding of a check: PASS, FAIL, NEEDS-HUMAN or not applicable, without raw values.

It serves a clause: Article 34 of the APPI's enforcement rules (the five items stood in Rule 19 when
the 2017 contest's paper was written), or the GDPR. The words of clauses are our own summary, not
the text of the law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message

MAX_LINES_SHOWN = 10


class Verdict(StrEnum):
    """The verdict of a check; never a statement that a release is lawful."""

    PASS = "PASS"
    FAIL = "FAIL"
    HUMAN = "NEEDS-HUMAN"
    NOTHING = "NOT-APPLICABLE"

    @property
    def word(self) -> Message:
        """The verdict in words; data keep the value."""
        return VERDICT_LABELS[self]


VERDICT_LABELS = {
    Verdict.PASS: Message("PASS"),
    Verdict.FAIL: Message("FAIL"),
    Verdict.HUMAN: Message("NEEDS-HUMAN"),
    Verdict.NOTHING: Message("NOT APPLICABLE"),
}


@dataclass(frozen=True)
class Evidence:
    """One observation: what, in which column, on which lines of the release, how often."""

    what: Message
    column: str | None = None
    total: int | None = None
    lines: tuple[int, ...] = ()

    @classmethod
    def at(cls, what: Message, column: str | None, lines: Sequence[int]) -> Evidence:
        """An observation on the given lines, of which the first few are listed."""
        return cls(what, column, len(lines), tuple(int(line) for line in lines[:MAX_LINES_SHOWN]))

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {
            **self.what.as_json("what"),
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
    title: Message
    summary: Message
    evidence: tuple[Evidence, ...] = ()
    figures: Mapping[str, object] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Plain data, in every language."""
        clause = CLAUSES[self.item]
        return {
            "id": self.id,
            "item": self.item,
            **clause.source.as_json("clause"),
            "verdict": self.verdict.value,
            **self.title.as_json("title"),
            **self.summary.as_json("summary"),
            "evidence": [evidence.as_json() for evidence in self.evidence],
            "figures": dict(self.figures),
        }


def worst_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """FAIL before NEEDS-HUMAN before PASS."""
    for verdict in (Verdict.FAIL, Verdict.HUMAN):
        if verdict in verdicts:
            return verdict
    return Verdict.PASS


@dataclass(frozen=True)
class Clause:
    """One item: where it stands, what it asks, and what European guidance asks in its place."""

    source: Message
    asks: Message
    europe: Message


def _clause_source(item: int) -> Message:
    return Message("APPI Enforcement Rules, Article 34, item {item} (formerly Rule 19)", item=item)


CLAUSES = {
    1: Clause(
        _clause_source(1),
        Message("Descriptions that identify a person are deleted or replaced irreversibly."),
        Message("GDPR recital 26: identified directly"),
    ),
    2: Clause(
        _clause_source(2),
        Message("Individual identification codes are deleted or replaced irreversibly."),
        Message("GDPR Article 87: national identification numbers"),
    ),
    3: Clause(
        _clause_source(3),
        Message(
            "Codes that link the release with the original are deleted or replaced irreversibly."
        ),
        Message("WP 216: linkability"),
    ),
    4: Clause(
        _clause_source(4),
        Message("Singular descriptions are deleted or replaced irreversibly."),
        Message("WP 216: singling out"),
    ),
    5: Clause(
        _clause_source(5),
        Message("Further measures are taken where a person's data differ from the others'."),
        Message("WP 216: singling out, linkability, inference"),
    ),
}

DISCLAIMER = Message(
    "This report shows evidence. It does not decide whether a release is lawful: that is for the "
    "person responsible for it, and NEEDS-HUMAN marks where judgement is needed most.",
    stable_code="no-legal-opinion",
)
