"""A, D, E: what happened to the quasi-identifiers; C: does the claimed link tell the truth?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.cells import Cell, Shape, canonical
from tokumei.core.text import Text
from tokumei.tables.attackers.assign import assign_in_sets
from tokumei.tables.attackers.candidates import consistent_vector, with_everyone
from tokumei.tables.attackers.sensitive import sensitive_boxes
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.codes import joint_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import ABSTAIN, Knowledge
from tokumei.tables.data.numbers import gaps_in
from tokumei.tables.data.rounding import crowded_numbers
from tokumei.tables.diagnosis.symbols import Evidence


@dataclass(frozen=True, eq=False)
class Look:
    """One QI column of the release against the original through the claimed link."""

    name: str
    unified: bool
    general: float
    """Share of cells that stand for more than one value, or for one that X does not have."""
    conflict: np.ndarray
    """Rows whose cell cannot be the linked original's value."""


def look_at_columns(case: Comparison) -> list[Look]:
    """Examine every QI."""
    looks = [_look(case, name) for name in case.qi]
    # A column that k-anonymization never cut is constant too; only where nothing else is
    # generalized must such a column have been unified.
    if any(look.general and not look.unified for look in looks):
        return looks
    frame = case.released.frame
    return [
        replace(look, unified=True) if look.general and frame[look.name].n_unique() == 1 else look
        for look in looks
    ]


def column_evidence(case: Comparison, looks: list[Look]) -> list[Evidence]:
    """Evidence for A, D and E."""
    found = []
    general = [look for look in looks if look.general and not look.unified]
    if general:
        share = float(np.mean([look.general for look in general]))
        names = ", ".join(look.name for look in general)
        text = Text(
            f"{share:.0%} of the cells of {names} are generalized",
            f"{names} のセルの {share:.0%} が一般化されています",
        )
        found.append(Evidence("A", text, share))
    for method, inside in (("D", False), ("E", True)):
        names_of = [k.name for k in looks if k.unified and (k.name in case.cross) is inside]
        if names_of:
            listed, verb = ", ".join(names_of), "has" if len(names_of) == 1 else "have"
            text = Text(f"{listed} {verb} one value", f"{listed} の値が一つに統一されています")
            found.append(Evidence(method, text, len(names_of) / len(looks)))
    return found


def conflicts(case: Comparison, looks: list[Look]) -> np.ndarray:
    """Rows whose QI contradict the row they are linked to, unified columns left aside."""
    rows = np.zeros(case.released.rows, dtype=bool)
    found = [rows, *(look.conflict for look in looks if not look.unified)]
    return np.asarray(np.logical_or.reduce(found))


def _look(case: Comparison, name: str) -> Look:
    reader, released = case.readers[name], case.released.frame[name]
    cells, linked = canonical(released), canonical(case.original.frame[name]).gather(case.link)
    read = reader.cells(released)
    means = _means(case.original.frame[name], released)
    strange = [
        text
        for text, cell in read.items()
        if not cell.is_general and (text not in reader.places or text in means)
    ]
    general = [text for text, cell in read.items() if cell.is_general]
    one_cell = cells.n_unique() == 1 and linked.n_unique() > 1
    unified = one_cell and not _covers_all(reader, next(iter(read.values())))
    share = float(cells.is_in([*general, *strange]).fill_null(False).sum()) / max(len(cells), 1)
    return Look(name, unified, share, _conflict(reader, cells, linked, strange))


def _means(original: pl.Series, released: pl.Series) -> set[str | None]:
    """Numbers that are more frequent than in the original: they may be means or medians."""
    if not (original.dtype.is_numeric() and released.dtype.is_numeric()):
        return set()
    found = crowded_numbers(original, released)["value"]
    return set(canonical(found)) if len(found) > 1 else set()


def _covers_all(reader: ColumnReader, cell: Cell) -> bool:
    """Whether the one cell there is may stand for every original value (and is not `*`)."""
    plain = not cell.is_general or cell.shape is Shape.SUPPRESSED
    return not plain and bool(reader.covered(cell).all())


def _conflict(
    reader: ColumnReader, cells: pl.Series, linked: pl.Series, strange: list[str | None]
) -> np.ndarray:
    """Rows whose cell cannot stand for the value; a value that X does not have may be an error."""
    pairs = pl.DataFrame({"cell": cells, "value": linked})
    distinct = pairs.unique()
    inside = {text: reader.covered(reader.read(text)) for text in distinct["cell"].unique()}
    wrong = [
        text not in strange and not inside[text][reader.places[value]]
        for text, value in distinct.iter_rows()
    ]
    joined = pairs.join(
        distinct.with_columns(wrong=pl.Series(wrong, dtype=pl.Boolean)),
        on=["cell", "value"],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    return joined["wrong"].to_numpy()


MIN_SHARE = 0.005
MOSTLY = 0.5


def link_evidence(case: Comparison, looks: list[Look]) -> tuple[list[Evidence], np.ndarray]:
    """Evidence for C, and the link to use for everything else."""
    broken = conflicts(case, looks)
    moved = _moved_whole(case)
    if moved.any() and moved.sum() > MOSTLY * _changed(case).sum():
        broken |= moved
    if not broken.any():
        return [], case.link
    share, exact = float(broken.mean()), float(moved[broken].mean())
    # A stray contradiction may be an error in the data; one that is another's row is not.
    if share < MIN_SHARE and exact < MOSTLY:
        return [], case.link
    text = Text(
        f"{share:.0%} of the rows contradict the row they are linked to"
        + (f"; {exact:.0%} of those equal another original row" if exact else ""),
        f"{share:.0%} の行が対応先の行と矛盾しています"
        + (f"。うち {exact:.0%} は別の元の行と一致します" if exact else ""),
    )
    return [Evidence("C", text, share)], likely_link(case, looks)


def likely_link(case: Comparison, looks: list[Look]) -> np.ndarray:
    """The link an attacker would infer: QI that fit, then the cheapest assignment by SA."""
    names = [look.name for look in looks if not look.unified]
    found = consistent_vector(case.released.frame, case.original.frame, names, case.hierarchies)
    boxes = sensitive_boxes(case.released, Knowledge(case.original), standardize=True)
    answers = assign_in_sets(with_everyone(found, case.original.rows), boxes)
    return np.where(answers == ABSTAIN, case.link, answers)


def _changed(case: Comparison) -> np.ndarray:
    before, after = sensitive_cells(case)
    return np.asarray((after != before[case.link]).any(axis=1))


def _moved_whole(case: Comparison) -> np.ndarray:
    """Rows whose SA are not those of the linked row but exactly those of another."""
    changed = _changed(case)
    before, after = map(np.ascontiguousarray, sensitive_cells(case))
    known = {row.tobytes() for row in before}
    rows = np.flatnonzero(changed)
    changed[rows] = [after[i].tobytes() in known for i in rows]
    return changed


GAP = float(np.finfo(np.float64).min)
"""What a missing number is here: a value of its own."""


def sensitive_cells(case: Comparison) -> tuple[np.ndarray, np.ndarray]:
    """Numbers first, then texts as codes; a gap is GAP, a suppressed number NaN."""
    tables, names = (case.original, case.released), [*case.number_sa, *case.text_sa]
    codes = [joint_codes(tables[0].frame, tables[1].frame, [name]) for name in case.text_sa]
    numbers = (case.sa_original, case.sa_released)
    before, after = (
        np.where(
            gaps_in(table.frame, names),
            GAP,
            np.column_stack([numbers[side], *(one[side] for one in codes)]),
        )
        for side, table in enumerate(tables)
    )
    return before, after
