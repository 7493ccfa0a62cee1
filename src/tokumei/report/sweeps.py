"""What a sweep says, whatever the kind of data: a table for a person, CSV and JSON.

write_all(figure_outputs({"rank-match": found}, "out"))     # sweep.csv, sweep.json
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from tokumei.core.ask import Answer, Listing
from tokumei.core.sweep import Sweep
from tokumei.core.text import Text, as_json_text
from tokumei.files.atomic import Output
from tokumei.files.writing import frame_output, text_output

HONEST = "honest_loss"
MOST_ATTACKS = 3
"""More stand in the files only; the risk is the strongest of them."""
NAMED = {
    HONEST: Text("loss against the real items", "元の商品での損失"),
    "knows_qi": Text("found by QI alone", "準識別子だけで特定"),
    "plain_loss": Text("loss without categories", "カテゴリーなしの損失"),
}


def figure_outputs(sweeps: Mapping[str, Sweep], folder: Path) -> list[Output]:
    """The figures of all sweeps, by their labels, not yet written."""
    return [
        frame_output(sweep_frame(sweeps), folder / "sweep.csv"),
        text_output(as_json_text(sweep_json(sweeps)), folder / "sweep.json"),
    ]


def sweep_frame(sweeps: Mapping[str, Sweep]) -> pl.DataFrame:
    """All releases of all sweeps, one row each."""
    rows = [
        {"sweep": label, "method": one.method, **row}
        for label, one in sweeps.items()
        for row in one.as_json()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def sweep_json(sweeps: Mapping[str, Sweep]) -> list[dict[str, Any]]:
    """The releases of one sweep; of several one object each with its label."""
    if len(sweeps) == 1:
        return next(iter(sweeps.values())).as_json()
    return [
        {"sweep": label, "method": one.method, "points": one.as_json()}
        for label, one in sweeps.items()
    ]


def sweep_answer(found: Sequence[Sweep], notes: Sequence[Text]) -> Answer:
    """What the command answers: of one method the list of its releases, of several by method."""
    data: Any = {one.label: one.as_json() for one in found}
    shown = [part for one in found for part in (_listing(one), _best(one))]
    return Answer(found[0].as_json() if len(found) == 1 else data, shown, notes)


def _listing(found: Sweep) -> Listing:
    """The releases, the one with the smallest sum marked."""
    beside = ("loss_", "strongest_")
    measured = [name for name in found.points[0].measured if not name.startswith(beside)]
    attacks = [name for name in measured if name.startswith("attack_")]
    if len(attacks) > MOST_ATTACKS:
        measured = [name for name in measured if name not in attacks]
    rows = []
    for point, kept in zip(found.points, found.front(), strict=True):
        mark = "*" if point is found.best else ""
        cells = [f"{x:.4f}" for x in (point.loss, point.risk, point.total, point.rows_kept)]
        cells += [f"{point.measured[name]:.4f}" for name in measured]
        rows.append([f"{point.value}{mark}", *cells, "●" if kept else ""])
    header = [Text("loss", "損失"), Text("risk", "リスク"), Text("sum", "合計")]
    header += [Text("rows kept", "残った行")]
    header += [NAMED.get(name, Text(name, name)) for name in measured]
    title = Text(found.label, found.label)
    return Listing(title, [found.parameter, *header, Text("Pareto front", "パレート最適")], rows)


def _best(found: Sweep) -> Text:
    """The smallest sum; if the items were replaced first, that of the real items as well."""
    name, best = found.parameter, found.best
    text = Text(
        f"* smallest sum: {name} = {best.value} ({best.total:.4f}). Loss and risk have "
        "different units. ●: no other release has less of both.",
        f"* 合計の最小: {name} = {best.value} ({best.total:.4f})。"
        "損失とリスクは単位が異なります。●: 損失とリスクの両方でこれを下回る匿名加工データは"
        "ありません。",
    )
    if HONEST not in best.measured:
        return text
    sums = {point.value: point.measured[HONEST] + point.risk for point in found.points}
    real = min(sums, key=lambda value: sums[value])
    return Text(
        f"{text.en} This loss is against the replaced items. Against the real items the smallest "
        f"sum is that of {name} = {real} ({sums[real]:.4f}).",
        f"{text.ja}この損失は置き換えた商品に対するものです。"
        f"元の商品に対する損失では、合計の最小は {name} = {real} ({sums[real]:.4f}) です。",
    )
