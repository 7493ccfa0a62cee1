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
    Verdict.PASS: Message("PASS", "合格"),
    Verdict.FAIL: Message("FAIL", "不合格"),
    Verdict.HUMAN: Message("NEEDS-HUMAN", "要確認"),
    Verdict.NOTHING: Message("NOT APPLICABLE", "対象なし"),
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
        """Plain data, in both languages."""
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


def _clause_source(number: int, kanji: str) -> Message:
    return Message(
        f"APPI Enforcement Rules, Article 34, item {number} (formerly Rule 19)",
        f"個人情報保護法施行規則 第 34 条 第 {kanji} 号 (旧 第 19 条)",
    )


CLAUSES = {
    1: Clause(
        _clause_source(1, "1"),
        Message(
            "Descriptions that identify a person are deleted or replaced irreversibly.",
            "特定の個人を識別できる記述等を、削除するか、復元できない方法で置き換える。",
        ),
        Message("GDPR recital 26: identified directly", "GDPR 前文 26: 直接の識別"),
    ),
    2: Clause(
        _clause_source(2, "2"),
        Message(
            "Individual identification codes are deleted or replaced irreversibly.",
            "個人識別符号を、すべて削除するか、復元できない方法で置き換える。",
        ),
        Message("GDPR Article 87: national identification numbers", "GDPR 第 87 条: 国民識別番号"),
    ),
    3: Clause(
        _clause_source(3, "3"),
        Message(
            "Codes that link the release with the original are deleted or replaced irreversibly.",
            "元の個人情報と匿名加工後の情報を連結する符号を、削除するか、復元できない方法で"
            "置き換える。",
        ),
        Message("WP 216: linkability", "WP 216: 連結可能性"),
    ),
    4: Clause(
        _clause_source(4, "4"),
        Message(
            "Singular descriptions are deleted or replaced irreversibly.",
            "特異な記述等を、削除するか、復元できない方法で置き換える。",
        ),
        Message("WP 216: singling out", "WP 216: 個人の特定 (singling out)"),
    ),
    5: Clause(
        _clause_source(5, "5"),
        Message(
            "Further measures are taken where a person's data differ from the others'.",
            "個人の記述とほかの人の記述との差異など、データベースの性質を考慮した措置を講じる。",
        ),
        Message("WP 216: singling out, linkability, inference", "WP 216: 特定・連結・推論"),
    ),
}

DISCLAIMER = Message(
    "This report shows evidence. It does not decide whether a release is lawful: that is for the "
    "person responsible for it, and NEEDS-HUMAN marks where judgement is needed most.",
    "このレポートは判断の材料を示すものです。適法かどうかを判定するものではありません。"
    "判断は責任者が行います。特に判断が必要な箇所を「要確認」と示します。",
)
