"""`tokumei sweep`: the whole trade-off of a method over k."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.options import (
    Columns,
    Encoding,
    Format,
    HistoryFormat,
    Json,
    Qi,
    Sa,
    Seed,
    Sep,
    numbers,
    settings,
    split,
)
from tokumei.text import Text

if TYPE_CHECKING:
    from tokumei.data.history import History
    from tokumei.data.table import Table
    from tokumei.search.sweep import Sweep

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
    categories: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "replace items first: mapping file, keywords, prefix or co-purchase",
                "先に商品を置換: 対応ファイル、keywords、prefix、co-purchase",
            ).show()
        ),
    ] = None,
    items: Annotated[
        str | None,
        typer.Option(help=Text("descriptions of the items", "商品名のファイル").show()),
    ] = None,
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
    from tokumei.cli.histories import source_history
    from tokumei.cli.inputs import read_source
    from tokumei.sweeps import sweep as run_sweep

    show_progress()
    values = numbers(k, "--k")
    source: History | Table
    if qi is not None:
        source = read_source(data, qi=qi, sa=sa, sep=sep, encoding=encoding)
        chosen = None
    else:
        source = source_history(data, format, columns=columns, sep=sep, encoding=encoding)
        chosen = categories_for(source, categories, items=items)
    found = [
        run_sweep(
            source,
            name,
            values,
            params=params_of(name, effort, settings(set)),
            loss=loss,
            measures=split(measures) or [],
            attacks=split(attacks) or [],
            categories=chosen,
            seed=seed,
        )
        for name in split(method) or []
    ]
    if out is not None:
        _write(found, out)
    if json:
        print_json(
            found[0].as_json() if len(found) == 1 else {s.method: s.as_json() for s in found}
        )
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
    extra = {
        "honest_loss": Text("honest loss", "元の商品での損失"),
        "plain_loss": Text("without categories", "カテゴリーなし"),
    }
    extra = {name: title for name, title in extra.items() if name in found.points[0].measured}
    rows = []
    for point, kept in zip(found.points, found.front(), strict=True):
        mark = "*" if point is found.best else ""
        cells = [f"{x:.4f}" for x in (point.loss, point.risk, point.total, point.rows_kept)]
        cells += [f"{point.measured[name]:.4f}" for name in extra]
        rows.append([f"{point.value}{mark}", *cells, "●" if kept else ""])
    header = [found.parameter, *(name.show() for name in (*named, *extra.values()))]
    print_table(Text(found.method, found.method), [*header, Text("front", "最適").show()], rows)
    best = found.best
    print(
        Text(
            f"* smallest sum: {found.parameter} = {best.value} ({best.total:.4f}). Loss and risk "
            "have different units; ● no other release has both smaller.",
            f"* 合計の最小: {found.parameter} = {best.value} ({best.total:.4f})。"
            "損失とリスクは単位が異なります。● はどちらでも他に劣らないもの。",
        ).show()
    )


def _write(found: list[Sweep], out: str) -> None:
    from tokumei.data.files.atomic import write_all
    from tokumei.data.files.folders import make_folder
    from tokumei.report.history.outputs import sweep_outputs

    write_all(sweep_outputs(found, make_folder(out)))
