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
    OriginalIfNeeded,
    Qi,
    Released,
    ReleasedIfNeeded,
    Sa,
    Seed,
    Sep,
    Truth,
    required,
    split,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.text import Text

EXAMPLE = (
    "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
    "--truth link.csv"
)

SAFETY = "tokumei measure safety --format pws2018 --original T.csv --release A.csv --guess F1.csv"


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
    group.command(
        help=Text(
            "How many guesses are right, and whether they show the release to be unsafe (R(n)).\n\n"
            f"Example:  {SAFETY}",
            f"正解数と、安全でないことが示されたか (R(n))。\n\n例:  {SAFETY}",
        ).show()
    )(safety)
    app.add_typer(group, name="measure")


def utility(
    original: OriginalIfNeeded = None,
    release: ReleasedIfNeeded = None,
    format: FormatOption = FileFormat.table,
    qi: Qi = None,
    sa: Sa = None,
    kind: Kinds = None,
    truth: Truth = None,
    cross: Cross = None,
    hierarchies: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "also ncp and prec, by hierarchies: path with {column}, or auto",
                "ncp と prec も: 階層ファイルのパス ({column} を含む) か auto",
            ).show()
        ),
    ] = None,
    categories: Annotated[
        str | None,
        typer.Option(help=Text("pws2018: mapping item,category", "pws2018: 対応表").show()),
    ] = None,
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
    from tokumei.cli.measure_history import history_utility
    from tokumei.data.hierarchies.choose import choose_hierarchies
    from tokumei.measures.ncp import Ncp
    from tokumei.measures.prec import Prec
    from tokumei.registry import measures as registry
    from tokumei.search.suite import measure_suite

    original = required(original, "--original", format)
    release = required(release, "--release", format)
    if format is not FileFormat.table:
        history_utility(
            format,
            original,
            release,
            measures=measures,
            categories=categories,
            encoding=encoding,
            json=json,
        )
        return
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
    kinds: dict[str, Any] = {name: registry.get(name) for name in scores}
    if hierarchies is not None:
        chosen = choose_hierarchies(hierarchies, case.original.frame, case.qi)
        kinds |= {"ncp": Ncp, "prec": Prec}
        scores |= {"ncp": Ncp(chosen).score(case), "prec": Prec(chosen).score(case)}
    if json:
        print_json({name: score.value for name, score in scores.items()})
        return
    rows = [
        [f"{name}  {kinds[name].title.show()}", f"{score.value:,.6g}", kinds[name].unit.show()]
        for name, score in scores.items()
    ]
    print_table(Text("Measures", "指標"), ["", Text("value", "値").show(), ""], rows)


def safety(
    original: Original,
    release: Released,
    guess: Annotated[str, typer.Option(help=Text("lines pid,cid", "pid,cid の行").show())],
    format: FormatOption = FileFormat.pws2018,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Score a guess."""
    from tokumei.cli.measure_history import history_safety

    history_safety(format, original, release, guess, encoding=encoding, json=json)
