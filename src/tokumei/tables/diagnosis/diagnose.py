"""Diagnosis: which of the methods A–H were used, alone or combined, and why we think so.

found = diagnose(Comparison.of(original, release), rng=Randomness(1))
found.methods            # ['A', 'F']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.core.randomness import Randomness
from tokumei.core.result_table import ShownAsTable
from tokumei.core.text import Text
from tokumei.tables.data.column_gaps import ColumnGaps, gaps_by_column
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.diagnosis.columns import column_evidence, link_evidence, look_at_columns
from tokumei.tables.diagnosis.symbols import (
    EXPECTED,
    METHODS,
    Effect,
    Evidence,
    Thresholds,
    effects,
)
from tokumei.tables.diagnosis.values import value_evidence
from tokumei.tables.suite import attack_suite, measure_suite

LINK = "C"
"""The method that permutes the link."""
LINKED = ("U5", *(name for name in EXPECTED if name[0] == "E"))
"""What compares every released row with the row it is linked to."""


@dataclass(frozen=True, repr=False)
class Diagnosis(ShownAsTable):
    """The methods found, the evidence for each, and the paper's table beside the measurements."""

    methods: list[str]
    evidence: list[Evidence]
    effects: list[Effect]
    gaps: list[ColumnGaps]
    """The columns with missing cells, and how many."""
    untold: tuple[str, ...] = ()
    """What nobody can tell without a link: C, and the measures that compare linked rows."""

    def caption(self) -> Text:
        """The methods that were found."""
        listed = ", ".join(self.methods)
        if not listed:
            return Text("no method was recognized", "手法は見つかりません")
        return Text(f"methods: {listed}", f"手法: {listed}")

    def table_rows(self) -> list[dict[str, Any]]:
        """A row per piece of evidence."""
        return [
            {
                "method": evidence.method,
                "name": METHODS[evidence.method],
                "evidence": evidence.text,
                "share": evidence.share,
            }
            for evidence in self.evidence
        ]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **({"gaps": [one.as_json() for one in self.gaps]} if self.gaps else {}),
            **({"untold": [*self.untold]} if self.untold else {}),
            "methods": self.methods,
            "evidence": [evidence.as_json() for evidence in self.evidence],
            "table": [effect.as_json() for effect in self.effects],
        }


def diagnose(
    case: Comparison, *, rng: Randomness, limits: Thresholds | None = None, claimed: bool = True
) -> Diagnosis:
    """Find the methods, and print the expected effects beside the measured ones.

    `claimed`: whether somebody said where rows come from. If not, rows that contradict the order
    of the original tell nothing of a link, and what compares linked rows is left out.
    """
    evidence = find_evidence(case)
    untold = () if claimed or all(one.method != LINK for one in evidence) else (LINK, *LINKED)
    evidence = [one for one in evidence if one.method not in untold]
    methods = [found.method for found in evidence]
    names = [name for name in EXPECTED if name not in untold]
    attacks = [name for name in names if name[0] == "E"]
    rates = attack_suite(case, attacks, rng=rng, expected=True) if attacks else {}
    scores = measure_suite(case, [name for name in names if name not in attacks])
    table = effects(case, scores, rates, methods, limits or Thresholds())
    gaps = gaps_by_column(case, [*case.qi, *case.sa], linked=not untold)
    return Diagnosis(methods, evidence, table, gaps, untold)


def find_evidence(case: Comparison) -> list[Evidence]:
    """Evidence for every method found, in the order A–H."""
    looks = look_at_columns(case)
    broken, link = link_evidence(case, looks)
    names = [look.name for look in looks if not look.unified]
    found = [*column_evidence(case, looks), *broken, *value_evidence(case, link, names)]
    missing = case.original.rows - case.released.rows
    if missing:
        share = missing / case.original.rows
        text = Text(f"{share:.1%} of the rows are missing", f"{share:.1%} の行がありません")
        found.append(Evidence("H", text, share))
    return sorted(found, key=lambda evidence: evidence.method)
