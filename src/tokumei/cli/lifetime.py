"""`tokumei lifetime`: risk and utility against how long a pseudonym lives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import (
    Columns,
    Encoding,
    Format,
    Json,
    Seed,
    Sep,
    numbers,
    pairs,
    required,
    settings,
    split,
)
from tokumei.cli.unicity import AnyHistory
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.histories.data.history import History
    from tokumei.pseudonyms.data.history import PeriodHistory
    from tokumei.pseudonyms.lifetime import LifetimeCurve

EXAMPLE = (
    "tokumei lifetime --data T.csv --master M.csv --alpha 0.25,0.5 --lifetimes 1-12 --rate 0.1 "
    "--out lifetime"
)
RESULTS = (
    *("lifetime.csv", "lifetime.json", "report.html"),
    *("risk-lifetime.svg", "risk-knowledge.svg", "utility-lifetime.svg"),
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Release with pseudonyms of every lifetime, attack each with the same knowledge, and "
            "say which is the longest lifetime whose link rate (upper end of its 95 % interval) "
            "stays under --rate. --halves asks instead what somebody who knows the first half of "
            "the months links in the second. With --out also CSV, JSON, charts and report.\n\n"
            f"Example:  {EXAMPLE}",
            "有効期間ごとに仮名化し、同じ知識で攻撃して、結び付く仮名の割合 (95 % 区間の上端) が "
            "--rate 未満にとどまる最長の有効期間を示します。--halves は、前半の月を知る人が後半で"
            "どれだけ結び付けるかを調べます。--out で CSV・JSON・図・レポートも作ります。\n\n"
            f"例:  {EXAMPLE}",
        ).show()
    )(lifetime)


def lifetime(
    data: Annotated[str, typer.Option(help=Text("the history T", "履歴 T").show())],
    master: Annotated[
        str | None, typer.Option(help=Text("pws2017: the customers M", "pws2017: M").show())
    ] = None,
    format: AnyHistory = Format.pws2017,
    alpha: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "share of rows known: 0.25 (default) or 0.25,0.5",
                "知られている行の割合 (既定 0.25)",
            ).show()
        ),
    ] = None,
    lifetimes: Annotated[
        str | None,
        typer.Option(help=Text("1-12 or 1,3,6 (default: all)", "1-12 など (既定は全て)").show()),
    ] = None,
    attack: Annotated[
        str | None,
        typer.Option(help=Text("the attack (default: best)", "攻撃 (既定は best)").show()),
    ] = None,
    rate: Annotated[
        float, typer.Option(help=Text("link rate allowed", "許容する割合").show())
    ] = 0.1,
    halves: Annotated[
        bool,
        typer.Option(
            "--halves",
            help=Text(
                "known: first half of the months (attack profile)", "前半の月を知る (攻撃 profile)"
            ).show(),
        ),
    ] = False,
    prefix: Annotated[
        list[str] | None,
        typer.Option(help=Text("known cells: item=2", "知られている文字数: item=2").show()),
    ] = None,
    set: Annotated[
        list[str] | None,
        typer.Option(
            help=Text("parameter of pseudonyms: day=15", "pseudonyms のパラメータ: day=15").show()
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option(help=Text("folder for the results", "結果のフォルダ").show())
    ] = None,
    columns: Columns = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Draw the lifetime curve."""
    from tokumei.cli.console import print_json, show_progress
    from tokumei.core.options import spare_sources
    from tokumei.pseudonyms.data.knowledge import PartialKnowledge
    from tokumei.pseudonyms.lifetime import KNOWLEDGE
    from tokumei.pseudonyms.lifetime import lifetime as draw_curve

    show_progress()
    if halves and (alpha or prefix):
        raise UsageError(
            Text(
                "--halves tells what is known; leave --alpha and --prefix out",
                "--halves で知識が決まります。--alpha と --prefix は指定できません",
            )
        )
    for path in (data, master):
        spare_sources([path], [f"{out}/{name}" for name in RESULTS if out is not None])
    curve = draw_curve(
        _source(data, master, format, columns=columns, sep=sep, encoding=encoding),
        lifetimes=numbers(lifetimes, "--lifetimes") if lifetimes else (),
        alphas=_shares(alpha or "0.25"),
        halves=halves,
        attack=attack or ("profile" if halves else "best"),
        rate=rate,
        knowledge=PartialKnowledge(prefix=_widths(prefix)) if prefix else KNOWLEDGE,
        params=settings(set),
        seed=seed,
    )
    if out is not None:
        _write(curve, out)
    if json:
        print_json(curve.as_json())
        return
    _show(curve)


def _source(
    data: str, master: str | None, format: Format, **options: Any
) -> PeriodHistory | History:
    if format is Format.pws2017:
        from tokumei.pseudonyms.formats.pws2017 import read_period_history

        customers = required(master, "--master", format)
        return read_period_history(data, customers, encoding=options["encoding"])
    from tokumei.cli.inputs import source_history

    return source_history(data, format, **options)


def _shares(given: str) -> list[float]:
    """`0.25,0.5` as shares; what they may be is known where they are used."""
    try:
        return [float(part) for part in split(given) or []]
    except ValueError:
        raise UsageError(
            Text(
                f"--alpha {given}: write 0.25 or 0.25,0.5",
                f"--alpha {given}: 0.25 や 0.25,0.5 と書きます",
            )
        ) from None


def _widths(given: list[str]) -> dict[str, int]:
    """`item=2` as a number of characters by column."""
    found = pairs(given)
    if not all(width.isdecimal() for width in found.values()):
        raise UsageError(Text("--prefix: write item=2", "--prefix は item=2 と書きます"))
    return {column: int(width) for column, width in found.items()}


def _show(curve: LifetimeCurve) -> None:
    from tokumei.cli.console import print_table
    from tokumei.pseudonyms.report.lifetime_words import headline

    header = [Text("months", "月数"), Text("known", "知識"), Text("linked", "結び付き")]
    header += [Text("95 % interval", "95 % 区間"), Text("chance", "偶然")]
    header += [Text("whole rows", "全月正解"), Text("worst loss", "最大の損失")]
    rows = []
    for point in curve.points:
        links = point.links
        mark = "*" if point.lifetime == curve.longest else ""
        known = "½" if point.alpha is None else f"{point.alpha:g}"
        span = f"{links.low:.3f}–{links.high:.3f}"
        others = (links.baseline, point.reid_all, point.utility["worst"])
        figures = [f"{links.rate:.4f}", span, *(f"{figure:.4f}" for figure in others)]
        rows.append([f"{point.lifetime}{mark}", known, *figures])
    title = Text(f"Links by {curve.attack}", f"攻撃 {curve.attack} で結び付いた仮名")
    print_table(title, [name.show() for name in header], rows)
    print(headline(curve).show())


def _write(curve: LifetimeCurve, out: str) -> None:
    from tokumei.files.atomic import write_all
    from tokumei.files.folders import make_folder
    from tokumei.pseudonyms.report.lifetime import lifetime_outputs

    write_all(lifetime_outputs(curve, make_folder(out)))
