"""`tokumei risk`: how easily people are found in a table, and which columns do it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli.options import Encoding, Json, Kinds, Qi, Seed, Sep
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

EXAMPLE = "tokumei risk --data x.csv --qi age,sex,zip --population 1000000 --out risk.html"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Risk of a table, original or released: prosecutor, journalist and marketer; uniques "
            "in the table and (with a population) estimated beyond it; which columns single "
            f"people out, alone and together.\n\nExample:  {EXAMPLE}",
            "表 (元データでも匿名加工データでも) のリスク: 検察官・ジャーナリスト・マーケター、"
            "表の中の一意な行と母集団一意の推定、どの列やその組み合わせが個人を絞り込むか。"
            f"\n\n例:  {EXAMPLE}",
        ).show()
    )(risk)


def risk(
    data: Annotated[str, typer.Option(help=Text("the table", "対象の表").show())],
    qi: Qi = None,
    kind: Kinds = None,
    population: Annotated[
        int | None, typer.Option(min=1, help=Text("people in all", "母集団の人数").show())
    ] = None,
    population_file: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "table of the population, generalized alike", "母集団の表 (同じ一般化のもの)"
            ).show()
        ),
    ] = None,
    sample_fraction: Annotated[
        float | None,
        typer.Option(
            help=Text("share of the population in the table", "母集団に対する標本抽出率").show()
        ),
    ] = None,
    threshold: Annotated[
        float,
        typer.Option(help=Text("chance that is too high", "高すぎるとみなす確率").show()),
    ] = 0.2,
    max_size: Annotated[
        int,
        typer.Option(min=1, help=Text("most columns in a set", "組み合わせる列数の上限").show()),
    ] = 3,
    rule: Annotated[
        str,
        typer.Option(help=Text("bracket or dankar", "推定法の選び方: bracket, dankar").show()),
    ] = "bracket",
    most: Annotated[
        int, typer.Option(min=1, help=Text("lines per table", "表ごとの行数").show())
    ] = 10,
    out: Annotated[
        str | None, typer.Option(help=Text("report to write: .html", "レポート: .html").show())
    ] = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Measure the risk of a table."""
    from tokumei.cli.console import note, print_json, show_progress
    from tokumei.cli.risk_tables import print_risk
    from tokumei.tables.risk.risk import risk as find

    show_progress()
    _require(rule, out, data, population_file)
    table = _read(data, qi=qi, kinds=kind, sep=sep, encoding=encoding)
    if population is not None and population_file is not None:
        raise UsageError(
            Text(
                "give --population or --population-file, not both",
                "--population と --population-file は一方だけ指定してください",
            )
        )
    people: Any = population
    if population_file is not None:
        columns = ",".join(table.schema.qi)
        people = _read(population_file, qi=columns, kinds=kind, sep=sep, encoding=encoding)
    found = find(
        table,
        population=people,
        sample_fraction=sample_fraction,
        threshold=threshold,
        max_size=max_size,
        rule="dankar" if rule == "dankar" else "bracket",
    )
    if out is not None:
        from tokumei.core.text import current_language
        from tokumei.files.writing import write_text
        from tokumei.tables.report.risk_page import render_risk_report

        write_text(render_risk_report(found, lang=current_language()), out)
    if json:
        print_json({"out": out, **found.as_json()})
        return
    print_risk(found, most=most)
    if out is not None:
        note(Text(f"Report: {out}", f"レポート: {out}"))


def _require(rule: str, out: str | None, *sources: str | None) -> None:
    from tokumei.core.errors import UnknownNameError
    from tokumei.core.options import spare_sources
    from tokumei.files.containers import suffix_of

    if rule not in ("bracket", "dankar"):
        raise UnknownNameError(Text("rule", "選び方"), rule, ["bracket", "dankar"])
    if out is None:
        return
    if suffix_of(out) != ".html":
        raise UsageError(
            Text(f"{out}: the name must end in .html", f"{out}: 名前は .html で終わります")
        )
    for source in sources:
        spare_sources([source], [out])


def _read(
    path: str, *, qi: str | None, kinds: list[str] | None, sep: str | None, encoding: str
) -> Any:
    """A table whose sensitive cells, if any, are not looked at."""
    from tokumei.cli.console import note, print_schema
    from tokumei.cli.options import pairs, split
    from tokumei.tables.data.reading import read_table

    table = read_table(
        path, qi=split(qi), sa=[], kinds=pairs(kinds), sep=sep, encoding=encoding, release=True
    )
    if qi is None:
        note(Text("Roles inferred (override with --qi):", "推定した役割 (--qi で変更):"))
        print_schema(table.schema)
    return table
