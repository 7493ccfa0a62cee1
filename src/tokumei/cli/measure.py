"""`tokumei measure`: what the data is still worth."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli.options import (
    Cross,
    Encoding,
    FormatOption,
    Json,
    Kinds,
    Original,
    Qi,
    Released,
    Sa,
    Seed,
    Sep,
    Truth,
    split,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.text import Text

EXAMPLE = (
    "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
    "--truth link.csv"
)


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        help=Text("Measure a release.", "匿名加工データを測ります。").show(), no_args_is_help=True
    )
    group.command(
        help=Text(
            "Utility (0 is no loss) and class sizes. With --k, c_avg is relative to that k.\n\n"
            f"Example:  {EXAMPLE}",
            "有用性 (0 は損失なし) とクラスサイズ。"
            "--k を与えると c_avg はその k に対する値です。\n\n"
            f"例:  {EXAMPLE}",
        ).show()
    )(utility)
    group.callback()(lambda: None)
    app.add_typer(group, name="measure")


def utility(
    original: Original,
    release: Released,
    format: FormatOption = FileFormat.table,
    qi: Qi = None,
    sa: Sa = None,
    kind: Kinds = None,
    truth: Truth = None,
    cross: Cross = None,
    k: Annotated[int | None, typer.Option(help="k of c_avg", min=1)] = None,
    measures: Annotated[
        str, typer.Option(help=Text("all, or names: U1,S1", "all または名前: U1,S1").show())
    ] = "all",
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Measure the utility of a release."""
    from tokumei.cli.console import print_json, print_table
    from tokumei.cli.inputs import read_case
    from tokumei.registry import measures as registry
    from tokumei.search.suite import measure_suite

    case = read_case(
        original,
        release,
        truth=truth,
        qi=qi,
        sa=sa,
        kinds=kind,
        cross=cross,
        sep=sep,
        encoding=encoding,
    )
    names = [] if measures == "all" else (split(measures) or [])
    params: dict[str, dict[str, Any]] = {"c_avg": {"k": k}}
    scores = measure_suite(case, names, params=params)
    if json:
        print_json({name: score.value for name, score in scores.items()})
        return
    rows = [
        [
            f"{name}  {registry.get(name).title.show()}",
            f"{score.value:,.6g}",
            registry.get(name).unit.show(),
        ]
        for name, score in scores.items()
    ]
    print_table(Text("Measures", "指標"), ["", Text("value", "値").show(), ""], rows)
