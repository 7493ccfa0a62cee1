"""`tokumei hierarchy`: make hierarchies, check them, look at them, take the built-in ones."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import Encoding, Json, Seed, Sep, split
from tokumei.core.options import numbers
from tokumei.core.text import Text

if TYPE_CHECKING:
    import polars as pl

    from tokumei.tables.hierarchies.hierarchy import Hierarchy


class Kind(StrEnum):
    """How `build` makes a hierarchy."""

    auto = "auto"
    intervals = "intervals"
    dates = "dates"
    prefix = "prefix"
    merge = "merge"


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


GROUP = Text(
    "Hierarchies: what each value becomes, step by step, up to *.",
    "階層: 値を * まで段階的に一般化する道筋。",
)
BUILD_LINE = "tokumei hierarchy build --data x.csv --column age --width 5,10,20 --out age.csv"
BUILD = Text(
    "Make a hierarchy from the values of a column, to be edited and given to --hierarchies. "
    "--kind auto proposes one by itself.\n\n"
    f"Example:  {BUILD_LINE}",
    "列の値から階層を作ります。編集して --hierarchies に渡せます。--kind auto は自動で提案します。"
    f"\n\n例:  {BUILD_LINE}",
)
CHECK_LINE = "tokumei hierarchy check --hierarchy age.csv --data x.csv --column age"
CHECK = Text(
    "List everything that is wrong with a hierarchy (ARX's CSV or nested YAML), and the values "
    f"of the data it does not cover. Exit code 1 if there is anything.\n\nExample:  {CHECK_LINE}",
    "階層 (ARX 形式の CSV か入れ子の YAML) の誤りと、データにあって階層にない値をすべて挙げます。"
    f"あれば終了コード 1。\n\n例:  {CHECK_LINE}",
)
SHOW_LINE = "tokumei hierarchy show --builtin prefecture --labels en --out tree.html"
SHOW = Text(
    "Show a hierarchy as a tree, with rows per node if there is data; "
    f"--out draws it (.html, .svg).\n\nExample:  {SHOW_LINE}",
    "階層を木で表示します。データがあれば行数も示し、--out で図 (.html, .svg) を書きます。"
    f"\n\n例:  {SHOW_LINE}",
)
EXPORT_LINE = "tokumei hierarchy export --builtin prefecture --out prefecture.csv"
EXPORT = Text(
    "Write a built-in hierarchy, or one from a file, as ARX's CSV or as nested YAML. "
    "Without --builtin and --hierarchy: list the built-in ones."
    f"\n\nExample:  {EXPORT_LINE}",
    "組み込みの階層やファイルの階層を ARX 形式の CSV か YAML で書きます。"
    f"指定がなければ組み込みの一覧を示します。\n\n例:  {EXPORT_LINE}",
)

Data = Annotated[str | None, typer.Option(help=_help("table with the values", "値のある表"))]
Column = Annotated[str | None, typer.Option(help=_help("column of the table", "表の列"))]
File = Annotated[
    str | None, typer.Option("--hierarchy", help=_help("hierarchy: .csv, .yaml", "階層のファイル"))
]
Name = Annotated[
    str | None, typer.Option("--builtin", help=_help("built-in name", "組み込みの名前"))
]
Labels = Annotated[str, typer.Option(help=_help("names of built-in nodes: ja, en", "ja か en"))]
First = Annotated[
    str | None, typer.Option(help=_help("first value (age …)", "最初の値 (age など)"))
]
Last = Annotated[str | None, typer.Option(help=_help("last value", "最後の値"))]
Complete = Annotated[
    bool, typer.Option("--complete", help=_help("add missing levels and *", "欠けた段と * を補う"))
]


def register(app: typer.Typer) -> None:
    """Add the command group."""
    from tokumei.cli import hierarchy_views as views

    group = typer.Typer(help=GROUP.show(), no_args_is_help=True)
    group.command(help=BUILD.show())(build)
    group.command(help=CHECK.show())(views.check)
    group.command(help=SHOW.show())(views.show)
    group.command(help=EXPORT.show())(views.export)
    app.add_typer(group, name="hierarchy")


def build(
    data: Annotated[str, typer.Option(help=_help("table with the values", "値のある表"))],
    column: Annotated[str, typer.Option(help=_help("column of the table", "表の列"))],
    out: Annotated[str, typer.Option(help=_help("file to write: .csv, .yaml", "出力先"))],
    kind: Annotated[
        Kind | None,
        typer.Option(help=_help("default: by the options below, else auto", "作り方")),
    ] = None,
    width: Annotated[
        str | None, typer.Option(help=_help("intervals: widths 5,10,20", "区間の幅 5,10,20"))
    ] = None,
    cuts: Annotated[
        list[str] | None,
        typer.Option(help=_help("intervals: 0,18,65,120; again for coarser", "区切り (段ごと)")),
    ] = None,
    quantiles: Annotated[
        str | None, typer.Option(help=_help("intervals: groups 8,4,2", "分位の数 8,4,2"))
    ] = None,
    every: Annotated[
        bool, typer.Option("--every", help=_help("every whole number is a leaf", "すべての整数"))
    ] = False,
    levels: Annotated[
        str | None,
        typer.Option(help=_help("dates: month,quarter,year,decade", "日付の段")),
    ] = None,
    lengths: Annotated[
        str | None, typer.Option(help=_help("prefix: lengths 3,1", "先頭の文字数 3,1"))
    ] = None,
    fanout: Annotated[
        int | None, typer.Option(help=_help("merge: neighbours at a time", "まとめる数"))
    ] = None,
    order: Annotated[
        str | None, typer.Option(help=_help("merge: order of values a,b,c", "値の順序 a,b,c"))
    ] = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Make a hierarchy from a column."""
    from tokumei.cli.hierarchy_views import column_of, tell
    from tokumei.tables.hierarchies.files import write_hierarchy

    given: dict[Kind, dict[str, Any]] = {
        Kind.intervals: {
            "widths": split(width),
            "cuts": [split(level) for level in cuts or []],
            "quantiles": quantiles and numbers(quantiles, "--quantiles"),
            "every": every,
        },
        Kind.dates: {"levels": split(levels)},
        Kind.prefix: {"lengths": lengths and numbers(lengths, "--lengths")},
        Kind.merge: {"fanout": fanout, "order": split(order)},
    }
    chosen, options = _chosen(kind, given)
    made = _made(chosen, column_of(data, column, sep=sep, encoding=encoding), options)
    write_hierarchy(made, out)
    tell(made, json, out=out, kind=chosen.value)


def _chosen(kind: Kind | None, given: dict[Kind, dict[str, Any]]) -> tuple[Kind, dict[str, Any]]:
    """The kind meant, and its options; options of other kinds are refused."""
    from tokumei.core.errors import UsageError

    used = {
        one: {name: value for name, value in options.items() if value}
        for one, options in given.items()
    }
    named = [one for one, options in used.items() if options]
    chosen = kind or (named[0] if named else Kind.auto)
    strange = [name for one in named if one is not chosen for name in used[one]]
    if strange:
        listed = ", ".join(strange)
        raise UsageError(
            f"--kind {chosen.value} does not use: {listed}",
            f"--kind {chosen.value} では使えません: {listed}",
        )
    return chosen, used.get(chosen, {})


def _made(kind: Kind, series: pl.Series, options: dict[str, Any]) -> Hierarchy:
    from tokumei.tables.hierarchies.choose import propose_hierarchy
    from tokumei.tables.hierarchies.dates import date_hierarchy
    from tokumei.tables.hierarchies.intervals import interval_hierarchy
    from tokumei.tables.hierarchies.merging import merge_hierarchy, prefix_hierarchy

    if kind is Kind.auto:
        return propose_hierarchy(series)
    if kind is Kind.intervals:
        return interval_hierarchy(series, **options)
    if kind is Kind.dates:
        return date_hierarchy(series, **options)
    if kind is Kind.prefix:
        return prefix_hierarchy(series, **{"lengths": (), **options})
    return merge_hierarchy(series, **options)
