"""`tokumei knowledge`: what an attacker knows of a history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import Encoding, Format, HistoryFormat, Json, Seed, pairs, split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.pseudonyms.data.rows import PeriodRows

EXAMPLE = (
    "tokumei knowledge --format pws2017 --data T.csv --alpha 0.25 --prefix item=2 --seed 1 "
    "--out T25.csv"
)
HELP = Text(
    "Draw what an attacker knows: a share of the rows (or some rows of each person), of some "
    "people and months, coarsened, with noise and mistakes. In format pws2017 unknown rows are "
    f"DEL,,,,,,; in pws2018 they are left out.\n\nExample:  {EXAMPLE}",
    "攻撃者の知識を作ります。行の一部 (または各人の数行)、一部の人や月だけ、粗い値、"
    "ずれた値、誤った知識を指定できます。pws2017 では知らない行が DEL,,,,,, になり、"
    f"pws2018 では除かれます。\n\n例:  {EXAMPLE}",
)
By = dict[str, Any]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP.show())(knowledge)


def _option(en: str, ja: str, *names: str) -> Any:
    return typer.Option(*names, help=Text(en, ja).show())


def knowledge(
    data: Annotated[str, _option("the history T", "元の履歴 T")],
    out: Annotated[str, _option("file to write", "出力ファイル")],
    format: HistoryFormat = Format.pws2017,
    alpha: Annotated[float | None, _option("share of the rows", "行の割合")] = None,
    points: Annotated[int | None, _option("rows of each person", "一人あたりの行数")] = None,
    people: Annotated[float, _option("share of the customers", "顧客の割合")] = 1.0,
    first: Annotated[
        str | None, _option("first month known: 2011-01", "最初の月 (例 2011-01)", "--from")
    ] = None,
    last: Annotated[
        str | None, _option("last month known: 2011-06", "最後の月 (例 2011-06)", "--to")
    ] = None,
    prefix: Annotated[
        str | None, _option("characters left of a cell: item=2", "残す文字数: item=2")
    ] = None,
    coarse: Annotated[
        str | None,
        _option(
            "coarser values: day=month (or week), time=hour, price=1, quantity=10",
            "粗い値: day=month (または week), time=hour, price=1, quantity=10",
        ),
    ] = None,
    noise: Annotated[
        str | None,
        _option(
            "noise: price=0.1 (share), quantity=2, day=3 (days), time=30 (minutes)",
            "ずれ: price=0.1 (比率), quantity=2, day=3 (日), time=30 (分)",
        ),
    ] = None,
    wrong: Annotated[float, _option("share of wrong rows", "誤った行の割合")] = 0.0,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Write what an attacker knows."""
    from tokumei.cli.console import note, print_json
    from tokumei.core.options import spare_sources
    from tokumei.core.randomness import Randomness
    from tokumei.files.atomic import write_all
    from tokumei.files.contest_text import contest_output
    from tokumei.histories.data.history import COLUMNS
    from tokumei.pseudonyms.data.knowledge import PartialKnowledge

    spare_sources([data], [out])
    given: By = {"alpha": alpha, "points": points, "people": people, "wrong": wrong}
    given |= {"first": first, "last": last, "coarse": _values(coarse)}
    given |= {"prefix": _numbers(prefix, "--prefix"), "noise": _numbers(noise, "--noise")}
    rows = _rows(data, format, encoding)
    known = PartialKnowledge(**given).of(rows, rng=Randomness(seed))
    cells = known.cells
    if format is Format.pws2018:
        cells = known.take(known.kept).cells.select(COLUMNS)
    write_all([contest_output(cells, out)])
    kept = int(known.kept.sum())
    if json:
        print_json({"out": out, "rows": rows.rows, "known": kept, "people": len(known.people)})
        return
    note(
        Text(
            f"{out}: {kept:,} of {rows.rows:,} rows known, of {len(known.people):,} people",
            f"{out}: {rows.rows:,} 行中 {kept:,} 行 ({len(known.people):,} 人) を知る",
        )
    )


def _rows(data: str, format: Format, encoding: str) -> PeriodRows:
    """The rows of either contest format; those of 2018 have neither invoice nor time."""
    import polars as pl

    from tokumei.flow import read_history
    from tokumei.histories.data.cell_text import history_text
    from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows
    from tokumei.pseudonyms.formats.pws2017 import read_rows

    if format is Format.pws2017:
        return read_rows(data, encoding=encoding)
    if format is not Format.pws2018:
        raise UsageError(
            Text("--format is pws2017 or pws2018 here", "--format は pws2017 か pws2018 です")
        )
    text = history_text(read_history(data, format="pws2018", encoding=encoding))
    blank = text.with_columns(pl.lit("").alias("invoice"), pl.lit("").alias("time"))
    return PeriodRows(blank.select(PERIOD_COLUMNS))


def _values(given: str | None) -> By:
    """`day=month,price=1`: numbers where they are some."""
    found: By = {}
    for name, value in pairs(split(given)).items():
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = value
    return found


def _numbers(given: str | None, option: str) -> By:
    """`item=2,price=0.1` as numbers."""
    found = _values(given)
    for name, value in found.items():
        if isinstance(value, str):
            raise UsageError(
                Text(
                    f"{option} {name}={value}: a number is needed",
                    f"{option} {name}={value}: 数を指定してください",
                )
            )
    return {name: int(value) if option == "--prefix" else value for name, value in found.items()}
