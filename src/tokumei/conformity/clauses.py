"""The requirements that checks serve: Article 34 of the APPI's enforcement rules, and the GDPR.

The five items stood in Rule 19 when the 2017 contest's paper was written. The words here are our
own summary, not the text of the law.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.text import Text


@dataclass(frozen=True)
class Clause:
    """One item: where it stands, what it asks, and what European guidance asks in its place."""

    source: Text
    asks: Text
    europe: Text


def _rule(number: int, kanji: str) -> Text:
    return Text(
        f"APPI Enforcement Rules, Article 34, item {number} (formerly Rule 19)",
        f"個人情報保護法施行規則 第 34 条 第 {kanji} 号 (旧 第 19 条)",
    )


CLAUSES = {
    1: Clause(
        _rule(1, "1"),
        Text(
            "Descriptions that identify a person are deleted or replaced irreversibly.",
            "特定の個人を識別できる記述等を、削除するか、復元できない方法で置き換える。",
        ),
        Text("GDPR recital 26: identified directly", "GDPR 前文 26: 直接の識別"),
    ),
    2: Clause(
        _rule(2, "2"),
        Text(
            "Individual identification codes are deleted or replaced irreversibly.",
            "個人識別符号を、すべて削除するか、復元できない方法で置き換える。",
        ),
        Text("GDPR Article 87: national identification numbers", "GDPR 第 87 条: 国民識別番号"),
    ),
    3: Clause(
        _rule(3, "3"),
        Text(
            "Codes that link the release with the original are deleted or replaced irreversibly.",
            "元の個人情報と匿名加工後の情報を連結する符号を、削除するか、復元できない方法で"
            "置き換える。",
        ),
        Text("WP 216: linkability", "WP 216: 連結可能性"),
    ),
    4: Clause(
        _rule(4, "4"),
        Text(
            "Singular descriptions are deleted or replaced irreversibly.",
            "特異な記述等を、削除するか、復元できない方法で置き換える。",
        ),
        Text("WP 216: singling out", "WP 216: 個人の特定 (singling out)"),
    ),
    5: Clause(
        _rule(5, "5"),
        Text(
            "Further measures are taken where a person's data differ from the others'.",
            "個人の記述とほかの人の記述との差異など、データベースの性質を考慮した措置を講じる。",
        ),
        Text("WP 216: singling out, linkability, inference", "WP 216: 特定・連結・推論"),
    ),
}

DISCLAIMER = Text(
    "This report shows evidence. It does not decide whether a release is lawful: that is for the "
    "person responsible for it, and NEEDS-HUMAN marks where judgement is needed most.",
    "このレポートは判断の材料を示すものです。適法かどうかを判定するものではありません。"
    "判断は責任者が行います。特に判断が必要な箇所を「要確認」と示します。",
)
