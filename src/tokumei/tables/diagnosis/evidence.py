"""The eight methods of the paper's Table 7 and what speaks for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.core.text import Text

METHODS: dict[str, Text] = {
    "A": Text("k-anonymize", "k-匿名化"),
    "B": Text("noise", "ノイズ付加"),
    "C": Text("Yamaoka", "山岡匿名化"),
    "D": Text("unify QI outside the cross table", "QI 統一 (対象外)"),
    "E": Text("unify QI inside the cross table", "QI 統一 (対象内)"),
    "F": Text("microaggregate", "SA 平均化"),
    "G": Text("swap in QI", "QI 内スワップ"),
    "H": Text("delete rows", "レコード削除"),
}


@dataclass(frozen=True)
class Evidence:
    """Why a method was found; `share` of the rows, cells or classes that show it."""

    method: str
    text: Text
    share: float

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "method": self.method,
            "name_en": METHODS[self.method].en,
            "name_ja": METHODS[self.method].ja,
            "evidence_en": self.text.en,
            "evidence_ja": self.text.ja,
            "share": self.share,
        }
