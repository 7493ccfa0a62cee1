"""Reports a sweep of any kind as text table, CSV and JSON.

write_all(sweep_figure_outputs({"rank-match": found}, "out"))     # sweep.csv, sweep.json
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from tokumei.core.command import CommandResult, TextTable
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import Message, join_sentences
from tokumei.core.sweep import Sweep
from tokumei.files.atomic_write import Output
from tokumei.files.writing import frame_output, text_output

REAL_ITEM_LOSS = "honest_loss"
MAX_LISTED_ATTACKS = 3
"""More stand in the files only; the risk is the strongest of them."""
FIGURE_LABELS = {
    REAL_ITEM_LOSS: Message("loss against the real items"),
    "knows_qi": Message("found by QI alone"),
    "plain_loss": Message("loss without categories"),
}


def sweep_figure_outputs(sweeps: Mapping[str, Sweep], folder: Path) -> list[Output]:
    """The figures of all sweeps, by their labels, not yet written."""
    return [
        frame_output(sweep_frame(sweeps), folder / "sweep.csv"),
        text_output(as_json_text(sweep_json(sweeps)), folder / "sweep.json"),
    ]


def sweep_frame(sweeps: Mapping[str, Sweep]) -> pl.DataFrame:
    """All releases of all sweeps, one row each."""
    rows = [
        {"sweep": label, "method": sweep.method, **row}
        for label, sweep in sweeps.items()
        for row in sweep.as_json()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def sweep_json(sweeps: Mapping[str, Sweep]) -> Sequence[Mapping[str, object]]:
    """The releases of one sweep; of several one object each with its label."""
    if len(sweeps) == 1:
        return next(iter(sweeps.values())).as_json()
    return [
        {"sweep": label, "method": sweep.method, "points": sweep.as_json()}
        for label, sweep in sweeps.items()
    ]


def sweep_result(sweeps: Sequence[Sweep], notes: Sequence[Message]) -> CommandResult:
    """The result of the command: the releases of one method, or of several by method."""
    data = {sweep.label: sweep.as_json() for sweep in sweeps}
    shown_parts = [
        part for sweep in sweeps for part in (_sweep_table(sweep), _describe_best(sweep))
    ]
    return CommandResult(sweeps[0].as_json() if len(sweeps) == 1 else data, shown_parts, notes)


def _sweep_table(sweep: Sweep) -> TextTable:
    """The releases, the one with the smallest sum marked."""
    hidden_prefixes = ("loss_", "strongest_")
    measured = [name for name in sweep.points[0].measured if not name.startswith(hidden_prefixes)]
    attacks = [name for name in measured if name.startswith("attack_")]
    if len(attacks) > MAX_LISTED_ATTACKS:
        measured = [name for name in measured if name not in attacks]
    rows = []
    for point, on_front in zip(sweep.points, sweep.front(), strict=True):
        mark = "*" if point is sweep.best else ""
        cells = [f"{x:.4f}" for x in (point.loss, point.risk, point.total, point.rows_kept)]
        cells += [f"{point.measured[name]:.4f}" for name in measured]
        rows.append([f"{point.value}{mark}", *cells, "●" if on_front else ""])
    header = [Message("loss"), Message("risk"), Message("sum")]
    header += [Message("rows kept")]
    header += [FIGURE_LABELS.get(name, Message.verbatim(name)) for name in measured]
    title = Message.verbatim(sweep.label)
    return TextTable(title, [sweep.parameter, *header, Message("Pareto front")], rows)


def _describe_best(sweep: Sweep) -> Message:
    """The smallest sum; if the items were replaced first, that of the real items as well."""
    name, best = sweep.parameter, sweep.best
    text = Message(
        "* smallest sum: {name} = {best} ({total:.4f}). Loss and risk have different units. ●: no "
        "other release has less of both.",
        name=name,
        best=best.value,
        total=best.total,
    )
    if REAL_ITEM_LOSS not in best.measured:
        return text
    sums = {point.value: point.measured[REAL_ITEM_LOSS] + point.risk for point in sweep.points}
    best_value = min(sums, key=lambda value: sums[value])
    honest_text = Message(
        "This loss is against the replaced items. Against the real items the smallest sum is that "
        "of {name} = {best} ({total:.4f}).",
        name=name,
        best=best_value,
        total=sums[best_value],
    )
    return join_sentences([text, honest_text])
