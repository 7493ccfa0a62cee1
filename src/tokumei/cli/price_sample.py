"""`tokumei sample prices`: people as an advertiser sees them, and what their attributes cost."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import Json, Seed
from tokumei.core.text import Text

HELP = Text(
    "People as an advertiser sees them, and a price list for their attributes.\n\n"
    "Example:  tokumei sample prices --rows 11000 --seed 1 --out people.csv --prices prices.csv",
    "広告主から見た人々の表と、その属性の価格表。\n\n"
    "例:  tokumei sample prices --rows 11000 --seed 1 --out people.csv --prices prices.csv",
)


def register(group: typer.Typer) -> None:
    """Add the command to the group `sample`."""
    group.command(help=HELP.show())(prices)


def prices(
    out: Annotated[str, typer.Option(help=Text("file to write", "出力ファイル").show())],
    prices: Annotated[str, typer.Option(help=Text("file for the prices", "価格表の出力先").show())],
    rows: Annotated[int, typer.Option(help=Text("how many rows", "行数").show())] = 11_000,
    attributes: Annotated[
        int, typer.Option(help=Text("how many attributes: 2-12", "属性の数: 2〜12").show())
    ] = 7,
    patterns: Annotated[
        int,
        typer.Option(
            help=Text("most patterns, delete included", "パターンの上限 (削除を含む)").show()
        ),
    ] = 6,
    correlated: Annotated[
        bool,
        typer.Option(
            "--correlated",
            help=Text(
                "decade, marriage, income follow age", "年代・婚姻・年収を年齢に従わせる"
            ).show(),
        ),
    ] = False,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Write a look-alike population and its price list."""
    from tokumei.cli.console import note, print_json
    from tokumei.files.atomic import write_all
    from tokumei.files.writing import frame_output
    from tokumei.price.sample.people import sample_prices

    people, made = sample_prices(
        rows, seed=seed, columns=attributes, patterns=patterns, correlated=correlated
    )
    write_all([frame_output(people, out), frame_output(made, prices)])
    if json:
        print_json({"out": out, "prices": prices, "rows": rows, "columns": people.columns})
        return
    names = ",".join(people.columns)
    note(Text(f"{out}: {rows:,} people ({names})", f"{out}: {rows:,} 人 ({names})"))
