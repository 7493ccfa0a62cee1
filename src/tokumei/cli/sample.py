"""`tokumei sample`: look-alike data."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import Json, Seed
from tokumei.text import Text


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        help=Text("Generate look-alike data.", "本物に似たデータを生成します。").show(),
        no_args_is_help=True,
    )
    group.command(
        help=Text(
            "Households: 13 quasi-identifiers and 12 yearly expenditures.\n\n"
            "Example:  tokumei sample table --rows 8333 --seed 1 --out x.csv",
            "世帯データ: 準識別子 13 列と年間支出 12 列。\n\n"
            "例:  tokumei sample table --rows 8333 --seed 1 --out x.csv",
        ).show()
    )(table)
    app.add_typer(group, name="sample")


def table(
    out: Annotated[str, typer.Option(help=Text("file to write", "出力ファイル").show())],
    rows: Annotated[int, typer.Option(help=Text("how many rows", "行数").show())] = 8333,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Write a look-alike household table."""
    from tokumei.cli.console import note, print_json
    from tokumei.data.files.writing import write_frame
    from tokumei.data.samples.households import sample_table

    made = sample_table(rows, seed=seed)
    write_frame(made.frame, out)
    if json:
        print_json({"out": out, "rows": rows, "qi": made.schema.qi, "sa": made.schema.sa})
        return
    qi, sa = ",".join(made.schema.qi), ",".join(made.schema.sa)
    note(
        Text(f"{out}: {rows} rows\n--qi {qi}\n--sa {sa}", f"{out}: {rows} 行\n--qi {qi}\n--sa {sa}")
    )
