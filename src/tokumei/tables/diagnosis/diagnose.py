"""Diagnoses which of the methods A–H were used, alone or combined, and why.

diagnosis = diagnose(Comparison.of(original, release), rng=Randomness(1))
diagnosis.methods            # ['A', 'F']
"""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message, join_messages
from tokumei.core.randomness import Randomness
from tokumei.core.result_table import ShownAsTable
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.missing_counts import MissingCounts, missing_by_column
from tokumei.tables.diagnosis.column_and_link_evidence import (
    column_evidence,
    compare_qi_columns,
    link_evidence,
)
from tokumei.tables.diagnosis.effect_symbols import (
    EXPECTED_SYMBOLS,
    METHOD_TITLES,
    Effect,
    Evidence,
    Thresholds,
    compare_effects,
)
from tokumei.tables.diagnosis.infer_methods import infer_methods
from tokumei.tables.diagnosis.sensitive_change_evidence import sensitive_method_evidence
from tokumei.tables.evaluation_suite import attack_suite, measure_suite

LINK_METHOD = "C"
"""The method that permutes the link."""
LINKED_MEASURES = ("U5", *(name for name in EXPECTED_SYMBOLS if name[0] == "E"))
"""What compares every released row with the row it is linked to."""


@dataclass(frozen=True, repr=False)
class Diagnosis(ShownAsTable):
    """The methods found, the evidence for each, and the paper's table beside the measurements."""

    methods: list[str]
    evidence: list[Evidence]
    effects: list[Effect]
    gaps: list[MissingCounts]
    """The columns with missing cells, and how many."""
    untold: tuple[str, ...] = ()
    """Methods and measures that need a link: C, and measures that compare linked rows."""

    @property
    def inferred(self) -> list[str]:
        """The methods that the measured symbols alone speak for, as in the paper's Table 13."""
        if self.untold:
            return []
        return infer_methods({effect.measure: effect.measured for effect in self.effects})

    def caption(self) -> Message:
        """The methods that were found."""
        if not self.methods:
            return Message("no method was recognized")
        return Message("methods: {methods}", methods=join_messages(self.methods))

    def table_rows(self) -> list[dict[str, object]]:
        """A row per piece of evidence."""
        return [
            {
                "method": evidence.method,
                "name": METHOD_TITLES[evidence.method],
                "evidence": evidence.text,
                "share": evidence.share,
            }
            for evidence in self.evidence
        ]

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            **({"gaps": [counts.as_json() for counts in self.gaps]} if self.gaps else {}),
            **({"untold": [*self.untold]} if self.untold else {}),
            "methods": [*self.methods],
            "by_symbols": [*self.inferred],
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
    untold = (
        ()
        if claimed or all(item.method != LINK_METHOD for item in evidence)
        else (LINK_METHOD, *LINKED_MEASURES)
    )
    evidence = [item for item in evidence if item.method not in untold]
    methods = [finding.method for finding in evidence]
    names = [name for name in EXPECTED_SYMBOLS if name not in untold]
    attacks = [name for name in names if name[0] == "E"]
    rates = attack_suite(case, attacks, rng=rng, expected=True) if attacks else {}
    scores = measure_suite(case, [name for name in names if name not in attacks])
    table = compare_effects(case, scores, rates, methods, limits or Thresholds())
    gaps = missing_by_column(case, [*case.qi, *case.sa], linked=not untold)
    return Diagnosis(methods, evidence, table, gaps, untold)


def find_evidence(case: Comparison) -> list[Evidence]:
    """Evidence for every method found, in the order A–H."""
    findings = compare_qi_columns(case)
    link_findings, link = link_evidence(case, findings)
    names = [finding.name for finding in findings if not finding.unified]
    evidence_list = [
        *column_evidence(case, findings),
        *link_findings,
        *sensitive_method_evidence(case, link, names),
    ]
    missing = case.original.rows - case.released.rows
    if missing:
        share = missing / case.original.rows
        text = Message("{share:.1%} of the rows are missing", share=share)
        evidence_list.append(Evidence("H", text, share))
    return sorted(evidence_list, key=lambda evidence: evidence.method)
