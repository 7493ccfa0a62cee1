"""What the gate found where, in counts: a finding never holds a cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tokumei.core.errors import ClaimError, Violation
from tokumei.core.fields import field_values
from tokumei.core.messages import Message, as_sentence, join_messages, join_sentences
from tokumei.release_gate.recognizers import FORM_TITLES


@dataclass(frozen=True)
class Finding:
    """One form in one place: a column, or the names and texts beside the rows."""

    form: str
    cells: int
    column: str | None = None
    place: Message | None = None


def require_nothing_found(findings: Iterable[Finding]) -> None:
    """Fail, naming columns, forms, counts and decisions, if anything was found."""
    by_place: dict[tuple[str | None, str], list[Finding]] = {}
    for finding in findings:
        key = (finding.column, "" if finding.place is None else str(finding.place))
        by_place.setdefault(key, []).append(finding)
    faults = [_describe_place(group) for group in by_place.values()]
    if faults:
        raise ClaimError(
            "nothing is written: the release gate found cells that may identify people and that "
            "nobody consented to",
            faults=faults,
        )


def _describe_place(findings: list[Finding]) -> Violation:
    forms = join_messages(
        Message(
            "{form} in {cells} cell",
            plural="{form} in {cells:,} cells",
            count=finding.cells,
            cells=finding.cells,
            form=FORM_TITLES[finding.form],
        )
        for finding in sorted(findings, key=lambda finding: -finding.cells)
    )
    column, place = findings[0].column, findings[0].place
    if place is not None:
        message = Message("{place}: {forms}", place=place, forms=forms)
        return Violation(rule="unconsented-cells", column=column, message=message)
    assert column is not None
    what = Message("'{column}' holds {forms}", column=column, forms=forms)
    decision = Message(
        "Drop it with {drop}, replace what was found with {scrub}, or release it all the same with "
        "{keep}",
        drop=field_values("drop", [column]),
        scrub=field_values("scrub", [column]),
        keep=field_values("passed", [column]),
    )
    message = join_sentences([as_sentence(what), decision])
    return Violation(rule="unconsented-cells", column=column, message=message)
