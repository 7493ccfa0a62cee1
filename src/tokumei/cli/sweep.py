"""`tokumei sweep`: the whole trade-off of a method over k."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import (
    Categories,
    Columns,
    Encoding,
    Format,
    HistoryFormat,
    Items,
    Json,
    Keep,
    Qi,
    Sa,
    Seed,
    Sep,
    numbers,
    settings,
    split,
)
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.sweep import Sweep
    from tokumei.histories.data.history import History
    from tokumei.tables.data.table import Table

EXAMPLE = (
    "tokumei sweep --format pws2018 --data T.csv --method rank-match,aligned --k 2-20 --out sweep"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Anonymize with every k; print loss, risk (1/k), their sum and the rows kept, the "
            "smallest sum and the Pareto front. With --out also CSV, JSON, chart and report.\n\n"
            f"Example:  {EXAMPLE}",
            "すべての k で匿名加工し、損失・リスク (1/k)・合計・残存行率・合計の最小・"
            "パレート最適を示します。--out で CSV・JSON・図・レポートも作ります。\n\n"
            f"例:  {EXAMPLE}",
        ).show()
    )(sweep)


def sweep(
    data: Annotated[str, typer.Option(help=Text("the history or table", "履歴か表").show())],
    format: HistoryFormat = Format.pws2018,
    method: Annotated[
        str, typer.Option(help=Text("method, or several: a,b", "手法 (複数可: a,b)").show())
    ] = "rank-match",
    k: Annotated[str, typer.Option(help=Text("2-20 or 2,3,6", "2-20 や 2,3,6").show())] = "2-20",
    effort: Annotated[
        str | None,
        typer.Option(help=Text("aligned: normal or high", "aligned: normal / high").show()),
    ] = None,
    categories: Categories = None,
    items: Items = None,
    keep: Keep = None,
    measures: Annotated[
        str | None, typer.Option(help=Text("more measures: rfm,…", "ほかの指標: rfm,…").show())
    ] = None,
    attacks: Annotated[
        str | None, typer.Option(help=Text("attacks: best,…", "攻撃: best,…").show())
    ] = None,
    qi: Qi = None,
    sa: Sa = None,
    loss: Annotated[
        str, typer.Option(help=Text("tables: the loss to plot", "表: 用いる損失").show())
    ] = "gcp_sets",
    out: Annotated[
        str | None, typer.Option(help=Text("folder for the results", "結果のフォルダ").show())
    ] = None,
    set: Annotated[
        list[str] | None,
        typer.Option(help=Text("any parameter: key=value", "任意のパラメータ: key=value").show()),
    ] = None,
    columns: Columns = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Sweep over k."""
    from tokumei.cli.categories import categories_for
    from tokumei.cli.console import print_json, show_progress
    from tokumei.cli.inputs import read_source, source_history
    from tokumei.core.options import spare_sources
    from tokumei.tables.sweeps import sweep as run_sweep

    show_progress()
    values = numbers(k, "--k")
    names = split(method) or []
    if not names:
        raise UsageError(Text("--method: name at least one", "--method: 手法を指定してください"))
    if out is not None:
        results = ("sweep.csv", "sweep.json", "sweep.svg", "report.html")
        for path in (data, items, categories):
            spare_sources([path], [f"{out}/{name}" for name in results])
    wanted: dict[str, Any] = {"measures": split(measures) or [], "attacks": split(attacks) or []}
    source: History | Table
    chosen = None
    if qi is not None:
        source = read_source(data, qi=qi, sa=sa, sep=sep, encoding=encoding)
    else:
        source = source_history(
            data, format, columns=columns, keep=keep, sep=sep, encoding=encoding
        )
        chosen = categories_for(source, categories, items=items, seed=seed)
    given = {name: params_of(name, effort, settings(set)) for name in names}
    found = [
        run_sweep(
            source,
            name,
            values,
            params=given[name],
            loss=loss,
            categories=chosen,
            seed=seed,
            **wanted,
        )
        for name in names
    ]
    if out is not None:
        _write(found, source, out, seed)
    if json:
        print_json(found[0].as_json() if len(found) == 1 else {s.label: s.as_json() for s in found})
        return
    for one in found:
        show_sweep(one)


def params_of(method: str, effort: str | None, given: dict[str, object]) -> dict[str, object]:
    """A method's parameters; the effort is for the method that has one."""
    return given | ({"effort": effort} if effort and method == "aligned" else {})


def show_sweep(found: Sweep) -> None:
    """The table of a sweep, its smallest sum marked."""
    from tokumei.cli.console import print_table

    named = [Text("loss", "損失"), Text("risk", "リスク"), Text("sum", "合計")]
    named += [Text("rows kept", "残存行")]
    known = {
        "honest_loss": Text("honest loss", "元の商品での損失"),
        "plain_loss": Text("without categories", "カテゴリーなし"),
    }
    measured = [name for name in found.points[0].measured if not name.startswith("loss_")]
    extra = {name: known.get(name, Text(name, name)) for name in measured}
    rows = []
    for point, kept in zip(found.points, found.front(), strict=True):
        mark = "*" if point is found.best else ""
        cells = [f"{x:.4f}" for x in (point.loss, point.risk, point.total, point.rows_kept)]
        cells += [f"{point.measured[name]:.4f}" for name in extra]
        rows.append([f"{point.value}{mark}", *cells, "●" if kept else ""])
    header = [found.parameter, *(name.show() for name in (*named, *extra.values()))]
    print_table(Text(found.label, found.label), [*header, Text("front", "最適").show()], rows)
    best = found.best
    print(
        Text(
            f"* smallest sum: {found.parameter} = {best.value} ({best.total:.4f}). Loss and risk "
            "have different units; ● no other release has both smaller.",
            f"* 合計の最小: {found.parameter} = {best.value} ({best.total:.4f})。"
            "損失とリスクは単位が異なります。● はどちらでも他に劣らないもの。",
        ).show()
    )


def _write(found: list[Sweep], source: History | Table, out: str, seed: int | None) -> None:
    """Table and JSON; of a history also chart and page, with what the best release is good for."""
    from tokumei.core.json_text import as_json_text
    from tokumei.files.atomic import write_all
    from tokumei.files.folders import make_folder
    from tokumei.files.writing import frame_output, text_output
    from tokumei.histories.data.history import History
    from tokumei.histories.report.outputs import sweep_frame, sweep_json, sweep_outputs
    from tokumei.histories.study import study_history

    folder = make_folder(out)
    if not isinstance(source, History):
        table = frame_output(sweep_frame(found), folder / "sweep.csv")
        text = text_output(as_json_text(sweep_json(found)), folder / "sweep.json")
        write_all([table, text])
        return
    pages: list[Any] = list(found)
    if "honest_loss" not in found[0].points[0].measured:
        pages = [
            study_history(
                source,
                one.method,
                [point.value for point in one.points],
                params=one.params,
                sweep=one,
                seed=seed,
            )
            for one in found
        ]
    write_all(sweep_outputs(pages, folder))
