"""`tokumei unicity`: whom a few known purchases single out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import Columns, Encoding, Format, Json, Keep, Seed, Sep, numbers
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.unicity.unicity import Unicity

EXAMPLE = (
    "tokumei unicity --data T.csv --format pws2018 --points 1-4 --by item,day --by item:2,month"
)
AnyHistory = Annotated[
    Format,
    typer.Option(
        "--format",
        help=Text("pws2017, pws2018, table or online-retail", "履歴の形式").show(),
    ),
]
RESULTS = ("unicity.csv", "unicity.json", "unicity.svg", "report.html")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "The share of customers singled out by p known points: p different ones are drawn "
            "from each customer who has as many; nobody else may have all of them. --by says what "
            "is known of a purchase: day, week or month, item, item:2 (its first two characters), "
            f"or any other column.\n\nExample:  {EXAMPLE}",
            "既知の p 点で一人に絞られる顧客の割合。p 点以上ある顧客から異なる p 点を抽出し、"
            "そのすべてを持つ人が他にいなければ一意とします。--by は購買の何を知っているか: "
            f"day・week・month、item、item:2 (先頭 2 文字)、その他の列。\n\n例:  {EXAMPLE}",
        ).show()
    )(unicity)


def unicity(
    data: Annotated[str, typer.Option(help=Text("the history", "履歴").show())],
    format: AnyHistory = Format.pws2018,
    points: Annotated[
        str, typer.Option(help=Text("how many points: 1-4 or 1,2,8", "点の数").show())
    ] = "1-4",
    by: Annotated[
        list[str] | None,
        typer.Option(
            help=Text(
                "what is known: item,day (repeat for several; default: five granularities)",
                "知られていること: item,day (複数可。既定は 5 通り)",
            ).show()
        ),
    ] = None,
    draws: Annotated[
        int, typer.Option(min=1, help=Text("draws per customer", "顧客ごとの抽出回数").show())
    ] = 20,
    out: Annotated[
        str | None, typer.Option(help=Text("folder for the results", "結果のフォルダ").show())
    ] = None,
    columns: Columns = None,
    keep: Keep = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Measure unicity."""
    from tokumei.cli.console import print_json, show_progress
    from tokumei.core.options import spare_sources
    from tokumei.core.unicity.unicity import BY
    from tokumei.core.unicity.unicity import unicity as measure

    show_progress()
    spare_sources([data], [f"{out}/{name}" for name in RESULTS if out is not None])
    source: Any
    if format is Format.pws2017:
        from tokumei.pseudonyms.formats.pws2017 import read_rows

        source = read_rows(data, encoding=encoding)
    else:
        from tokumei.cli.inputs import source_history

        source = source_history(
            data, format, columns=columns, keep=keep, sep=sep, encoding=encoding
        )
    found = measure(source, by or BY, points=numbers(points, "--points"), draws=draws, seed=seed)
    if out is not None:
        _write(found, out)
    if json:
        print_json([one.as_json() for one in found])
        return
    _show(found)


def _show(found: list[Unicity]) -> None:
    from tokumei.cli.console import print_table

    at = {(one.by, one.points): one for one in found}
    steps = sorted({one.points for one in found})
    rows = [
        [by, *(f"{at[by, p].share:.4f}" if (by, p) in at else "–" for p in steps)]
        for by in dict.fromkeys(one.by for one in found)
    ]
    title = Text("Customers singled out by p known points", "既知の p 点で一意になる顧客の割合")
    print_table(title, ["", *(f"p = {p}" for p in steps)], rows)


def _write(found: list[Unicity], out: str) -> None:
    from tokumei.files.atomic import write_all
    from tokumei.files.folders import make_folder
    from tokumei.report.unicity import unicity_outputs

    write_all(unicity_outputs(found, make_folder(out)))
