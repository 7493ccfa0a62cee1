"""`tokumei sample`: look-alike data."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import Format, HistoryFormat, Json, Seed, required
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

Out = Annotated[str, typer.Option(help=Text("file to write", "出力ファイル").show())]
TABLE = Text(
    "Households: 13 quasi-identifiers and 12 yearly expenditures.\n\n"
    "Example:  tokumei sample table --rows 8333 --seed 1 --out x.csv",
    "世帯データ: 準識別子 13 列と年間支出 12 列。\n\n"
    "例:  tokumei sample table --rows 8333 --seed 1 --out x.csv",
)
HISTORY = Text(
    "A year of an online shop: customers, baskets, seasons, prices, item descriptions.\n\n"
    "Example:  tokumei sample history --rows 20000 --seed 1 --out T.csv --items items.csv\n\n"
    "With customers:  tokumei sample history --format pws2017 --out T.csv --master M.csv",
    "オンラインショップの 1 年間: 顧客・買い物かご・季節・価格・商品名。\n\n"
    "例:  tokumei sample history --rows 20000 --seed 1 --out T.csv --items items.csv\n\n"
    "顧客つき:  tokumei sample history --format pws2017 --out T.csv --master M.csv",
)
PRICES = Text(
    "People as an advertiser sees them, and a price list for their attributes.\n\n"
    "Example:  tokumei sample prices --rows 11000 --seed 1 --out people.csv --prices prices.csv",
    "広告主から見た人々の表と、その属性の価格表。\n\n"
    "例:  tokumei sample prices --rows 11000 --seed 1 --out people.csv --prices prices.csv",
)


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        help=Text("Generate look-alike data.", "本物に似たデータを生成します。").show(),
        no_args_is_help=True,
    )
    group.command(help=TABLE.show())(table)
    group.command(help=HISTORY.show())(history)
    group.command(help=PRICES.show())(prices)
    app.add_typer(group, name="sample")


def table(
    out: Out,
    rows: Annotated[int, typer.Option(help=Text("how many rows", "行数").show())] = 8333,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Write a look-alike household table."""
    from tokumei.cli.console import note, print_json
    from tokumei.files.writing import write_frame
    from tokumei.tables.sample.households import sample_table

    made = sample_table(rows, seed=seed)
    write_frame(made.frame, out)
    if json:
        print_json({"out": out, "rows": rows, "qi": made.schema.qi, "sa": made.schema.sa})
        return
    qi, sa = ",".join(made.schema.qi), ",".join(made.schema.sa)
    note(
        Text(f"{out}: {rows} rows\n--qi {qi}\n--sa {sa}", f"{out}: {rows} 行\n--qi {qi}\n--sa {sa}")
    )


def history(
    out: Out,
    rows: Annotated[int, typer.Option(help=Text("how many rows", "行数").show())] = 20_000,
    customers: Annotated[
        int | None, typer.Option(help=Text("how many customers", "顧客数").show())
    ] = None,
    master: Annotated[
        str | None, typer.Option(help=Text("pws2017: file for M", "pws2017: M の出力先").show())
    ] = None,
    invoices: Annotated[
        bool,
        typer.Option(
            "--invoices", help=Text("pws2017: real invoices, not 0", "pws2017: 伝票番号あり").show()
        ),
    ] = False,
    items: Annotated[
        str | None, typer.Option(help=Text("file for item descriptions", "商品名の出力先").show())
    ] = None,
    format: HistoryFormat = Format.pws2018,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Write a look-alike purchase history."""
    from tokumei.cli.histories import written_as
    from tokumei.files.atomic import write_all
    from tokumei.files.writing import frame_output
    from tokumei.histories.data.cell_text import history_text
    from tokumei.histories.data.sample import sample_history
    from tokumei.histories.formats.outputs import rows_output

    if format is Format.pws2017:
        customers_file = required(master, "--master", format)
        people = write_periods(rows, out, customers_file, customers, invoices, seed)
        _tell(out, rows, people, {"master": master}, json)
        return
    if format is Format.online_retail:
        raise UsageError(
            Text(
                "--format is pws2017, pws2018 or table here",
                "--format は pws2017, pws2018, table のいずれかです",
            )
        )
    made = sample_history(rows, customers=customers, seed=seed)
    outputs = [rows_output(history_text(made), out, written_as(format))]
    if items is not None and made.items is not None:
        outputs.append(frame_output(made.items, items))
    write_all(outputs)
    _tell(out, rows, len(made.customers), {"items": items}, json)


def prices(
    out: Out,
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


def write_periods(
    rows: int,
    out: str,
    master: str,
    customers: int | None,
    invoices: bool,
    seed: int | None,
) -> int:
    """Write a history and its customers in the format of 2017; how many customers."""
    from tokumei.files.atomic import write_all
    from tokumei.pseudonyms.data.sample import sample_periods
    from tokumei.pseudonyms.formats.pws2017 import master_output, rows_output

    made = sample_periods(rows, customers=customers, invoices=invoices, seed=seed)
    write_all([rows_output(made.rows, out), master_output(made.master, master)])
    return len(made.master.customers)


def _tell(out: str, rows: int, people: int, more: dict[str, str | None], json: bool) -> None:
    from tokumei.cli.console import note, print_json

    if json:
        print_json({"out": out, "rows": rows, "customers": people, **more})
        return
    note(
        Text(
            f"{out}: {rows:,} purchases of {people:,} customers",
            f"{out}: 顧客 {people:,} 人の購買 {rows:,} 行",
        )
    )
