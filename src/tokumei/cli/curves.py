"""`tokumei curves`: time and success against what an attack uses."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.options import (
    Encoding,
    Json,
    Original,
    Qi,
    Released,
    Sa,
    Seed,
    Sep,
    Truth,
    split,
)
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.curves import CurvePoint

EXAMPLE = (
    "tokumei curves --original x.csv --release y.csv --truth link.csv --qi age,sex "
    "--sa income,rent --by qi --out curves"
)


class By(StrEnum):
    """What to vary."""

    qi = "qi"
    sa = "sa"
    rows = "rows"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Time and success of attacks against the number of QI, of SA, or of rows they use "
            f"(the paper's Figures 2–6); writes CSV and SVG.\n\nExample:  {EXAMPLE}",
            "攻撃の計算時間と再識別率を、用いる準識別子・機密属性・行の数に対して描きます "
            f"(論文の図 2〜6)。CSV と SVG を出力します。\n\n例:  {EXAMPLE}",
        ).show()
    )(curves)


def curves(
    original: Original,
    release: Released,
    by: Annotated[By, typer.Option(help=Text("what to vary", "何を変えるか").show())] = By.qi,
    attacks: Annotated[str, typer.Option(help=Text("attacks", "攻撃").show())] = "EUC1,EUC2",
    out: Annotated[
        str | None, typer.Option(help=Text("folder for CSV and SVG", "出力フォルダ").show())
    ] = None,
    truth: Truth = None,
    qi: Qi = None,
    sa: Sa = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Draw attack curves."""
    from tokumei.cli.console import print_json, print_table, show_progress
    from tokumei.cli.inputs import read_case
    from tokumei.core.randomness import Randomness
    from tokumei.tables.curves import attack_curve

    show_progress()
    case = read_case(original, release, truth=truth, qi=qi, sa=sa, sep=sep, encoding=encoding)
    points = attack_curve(case, by.value, split(attacks) or [], rng=Randomness(seed))
    if out is not None:
        _write(points, out, by.value)
    if json:
        print_json([point.as_json() for point in points])
        return
    rows = [[p.attack, str(p.used), f"{p.rate:.4f}", f"{p.seconds:.3f}"] for p in points]
    names = (Text("used", "使用数"), Text("rate", "再識別率"), Text("seconds", "秒"))
    print_table(Text("Attack curve", "攻撃曲線"), ["", *(name.show() for name in names)], rows)


def _write(points: list[CurvePoint], out: str, by: str) -> None:
    import polars as pl

    from tokumei.core.text import current_language
    from tokumei.files.atomic import write_all
    from tokumei.files.folders import make_folder
    from tokumei.files.writing import frame_output, text_output
    from tokumei.tables.report.curve_chart import curve_svg

    folder = make_folder(out)
    frame = pl.DataFrame([point.as_json() for point in points])
    write_all(
        [
            frame_output(frame, folder / f"curve-{by}.csv"),
            text_output(curve_svg(points, current_language()), folder / f"curve-{by}.svg"),
        ]
    )
