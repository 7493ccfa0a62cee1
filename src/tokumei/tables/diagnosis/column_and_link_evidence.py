"""Evidence for A, D, E (quasi-identifiers) and C (a false link)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import Cell, CellShape, canonicalize_column
from tokumei.core.messages import Message, join_messages
from tokumei.tables.attackers.assignment import assign_in_sets
from tokumei.tables.attackers.qi_candidates import fill_with_everyone, match_consistent_qi
from tokumei.tables.attackers.sensitive_distance import build_sensitive_boxes
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.column_encoding import joint_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import ABSTAIN, Knowledge
from tokumei.tables.data.numeric_columns import missing_mask
from tokumei.tables.data.rounding import overrepresented_numbers
from tokumei.tables.diagnosis.effect_symbols import Evidence


@dataclass(frozen=True, eq=False)
class QiColumnComparison:
    """One QI column of the release against the original through the claimed link."""

    name: str
    unified: bool
    general: float
    """Share of cells that stand for more than one value, or for one that X does not have."""
    conflict: np.ndarray
    """Rows whose cell cannot be the linked original's value."""


def compare_qi_columns(case: Comparison) -> list[QiColumnComparison]:
    """Examine every QI."""
    findings = [_compare_qi_column(case, name) for name in case.qi]
    # A column that k-anonymization never cut is constant too; only where nothing else is
    # generalized must such a column have been unified.
    if any(finding.general and not finding.unified for finding in findings):
        return findings
    frame = case.released.frame
    return [
        replace(finding, unified=True)
        if finding.general and frame[finding.name].n_unique() == 1
        else finding
        for finding in findings
    ]


def column_evidence(case: Comparison, findings: list[QiColumnComparison]) -> list[Evidence]:
    """Evidence for A, D and E."""
    evidence = []
    general = [finding for finding in findings if finding.general and not finding.unified]
    if general:
        share = float(np.mean([finding.general for finding in general]))
        text = Message(
            "{share:.0%} of the cells of {columns} are generalized",
            share=share,
            columns=join_messages(finding.name for finding in general),
        )
        evidence.append(Evidence("A", text, share))
    for method, inside in (("D", False), ("E", True)):
        unified_names = [
            unified_finding.name
            for unified_finding in findings
            if unified_finding.unified and (unified_finding.name in case.cross) is inside
        ]
        if unified_names:
            text = Message(
                "{columns} has one value",
                plural="{columns} have one value",
                count=len(unified_names),
                columns=join_messages(unified_names),
            )
            evidence.append(Evidence(method, text, len(unified_names) / len(findings)))
    return evidence


def conflicting_rows(case: Comparison, findings: list[QiColumnComparison]) -> np.ndarray:
    """Rows whose QI contradict the row they are linked to, unified columns left aside."""
    rows = np.zeros(case.released.rows, dtype=bool)
    masks = [rows, *(finding.conflict for finding in findings if not finding.unified)]
    return np.asarray(np.logical_or.reduce(masks))


def _compare_qi_column(case: Comparison, name: str) -> QiColumnComparison:
    reader, released = case.readers[name], case.released.frame[name]
    cells, linked = (
        canonicalize_column(released),
        canonicalize_column(case.original.frame[name]).gather(case.link),
    )
    parsed = reader.read_cells(released)
    means = _possible_means(case.original.frame[name], released)
    unknown_texts = [
        text
        for text, cell in parsed.items()
        if not cell.is_generalized and (text not in reader.places or text in means)
    ]
    general = [text for text, cell in parsed.items() if cell.is_generalized]
    is_constant = cells.n_unique() == 1 and linked.n_unique() > 1
    unified = is_constant and not _covers_all(reader, next(iter(parsed.values())))
    share = float(cells.is_in([*general, *unknown_texts]).fill_null(False).sum()) / max(
        len(cells), 1
    )
    return QiColumnComparison(
        name, unified, share, _conflict_mask(reader, cells, linked, unknown_texts)
    )


def _possible_means(original: pl.Series, released: pl.Series) -> set[str | None]:
    """Numbers that are more frequent than in the original: they may be means or medians."""
    if not (original.dtype.is_numeric() and released.dtype.is_numeric()):
        return set()
    overrepresented = overrepresented_numbers(original, released)["value"]
    return set(canonicalize_column(overrepresented)) if len(overrepresented) > 1 else set()


def _covers_all(reader: ColumnReader, cell: Cell) -> bool:
    """Whether the one cell there is may stand for every original value (and is not `*`)."""
    plain = not cell.is_generalized or cell.shape is CellShape.SUPPRESSED
    return not plain and bool(reader.covered(cell).all())


def _conflict_mask(
    reader: ColumnReader, cells: pl.Series, linked: pl.Series, unknown_texts: list[str | None]
) -> np.ndarray:
    """Rows whose cell cannot stand for the value; a value that X does not have may be an error."""
    pairs = pl.DataFrame({"cell": cells, "value": linked})
    distinct = pairs.unique()
    inside = {text: reader.covered(reader.read(text)) for text in distinct["cell"].unique()}
    contradicts = [
        text not in unknown_texts and not inside[text][reader.places[value]]
        for text, value in distinct.iter_rows()
    ]
    joined = pairs.join(
        distinct.with_columns(wrong=pl.Series(contradicts, dtype=pl.Boolean)),
        on=["cell", "value"],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    return joined["wrong"].to_numpy()


MIN_SHARE = 0.005
MAJORITY = 0.5


def link_evidence(
    case: Comparison, findings: list[QiColumnComparison]
) -> tuple[list[Evidence], np.ndarray]:
    """Evidence for C, and the link to use for everything else."""
    conflicting = conflicting_rows(case, findings)
    others_rows = _rows_with_values_of_others(case)
    if others_rows.any() and others_rows.sum() > MAJORITY * _changed_rows(case).sum():
        conflicting |= others_rows
    if not conflicting.any():
        return [], case.link
    share, exact = float(conflicting.mean()), float(others_rows[conflicting].mean())
    # A stray contradiction may be an error in the data; one that is another's row is not.
    if share < MIN_SHARE and exact < MAJORITY:
        return [], case.link
    text = Message("{share:.0%} of the rows contradict the row they are linked to", share=share)
    if exact:
        text = Message(
            "{share:.0%} of the rows contradict the row they are linked to; {exact:.0%} of those "
            "equal another original row",
            share=share,
            exact=exact,
        )
    return [Evidence("C", text, share)], infer_link(case, findings)


def infer_link(case: Comparison, findings: list[QiColumnComparison]) -> np.ndarray:
    """The link an attacker would infer: QI that fit, then the cheapest assignment by SA."""
    names = [finding.name for finding in findings if not finding.unified]
    candidates = match_consistent_qi(
        case.released.frame, case.original.frame, names, case.hierarchies
    )
    boxes = build_sensitive_boxes(case.released, Knowledge(case.original), standardize=True)
    answers = assign_in_sets(fill_with_everyone(candidates, case.original.rows), boxes)
    return np.where(answers == ABSTAIN, case.link, answers)


def _changed_rows(case: Comparison) -> np.ndarray:
    before, after = sensitive_cells(case)
    return np.asarray((after != before[case.link]).any(axis=1))


def _rows_with_values_of_others(case: Comparison) -> np.ndarray:
    """Rows whose SA are not those of the linked row but exactly those of another."""
    changed = _changed_rows(case)
    before, after = map(np.ascontiguousarray, sensitive_cells(case))
    original_rows = {row.tobytes() for row in before}
    rows = np.flatnonzero(changed)
    changed[rows] = [after[i].tobytes() in original_rows for i in rows]
    return changed


MISSING_VALUE = float(np.finfo(np.float64).min)
"""What a missing number is here: a value of its own."""


def sensitive_cells(case: Comparison) -> tuple[np.ndarray, np.ndarray]:
    """Numbers first, then texts as codes; a gap is GAP, a suppressed number NaN."""
    tables, names = (case.original, case.released), [*case.number_sa, *case.text_sa]
    codes = [joint_codes(tables[0].frame, tables[1].frame, [name]) for name in case.text_sa]
    numbers = (case.sa_original, case.sa_released)
    before, after = (
        np.where(
            missing_mask(table.frame, names),
            MISSING_VALUE,
            np.column_stack([numbers[side], *(side_codes[side] for side_codes in codes)]),
        )
        for side, table in enumerate(tables)
    )
    return before, after
