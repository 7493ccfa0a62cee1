"""`tokumei price show|diff|curve|pareto`: tables, two price lists, value against k and safety."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli.options import Encoding, Json, Seed, Sep, split
from tokumei.cli.price.inputs import (
    Best,
    Currency,
    Data,
    Date,
    K,
    KeywordFile,
    Ks,
    Patterns,
    PriceColumns,
    Suppression,
    Synonyms,
    open_session,
    question_of,
    read_prices,
    tell_unpriced,
)
from tokumei.core.options import numbers
from tokumei.core.text import Text

FILES = "--data people.csv --patterns prices.csv"
HELP = {
    "show": Text(
        "Words, k, value and counts of every attribute and pattern, and how many combinations "
        f"there are.\n\nExample:  tokumei price show {FILES} --words 年齢=decades",
        "属性とパターンごとの語数・k 値・価値・出現数と、組み合わせの数を示します。\n\n"
        f"例:  tokumei price show {FILES} --words 年齢=decades",
    ),
    "diff": Text(
        "How the best recoding and its value change from one price list to another.\n\n"
        "Example:  tokumei price diff --data people.csv --before p1.csv --after p2.csv --k 5",
        "価格表が変わると最適な加工と価値がどう変わるかを示します。\n\n"
        "例:  tokumei price diff --data people.csv --before p1.csv --after p2.csv --k 5",
    ),
    "curve": Text(
        "The highest value for every k; with --out charts of it, and of value against words.\n\n"
        f"Example:  tokumei price curve {FILES} --k 2-50 --out curve",
        "k ごとの最高の価値。--out で図 (価値と k、価値と語数) も作ります。\n\n"
        f"例:  tokumei price curve {FILES} --k 2-50 --out curve",
    ),
    "pareto": Text(
        "Value against k and against the success of attacks: which answers nothing beats.\n\n"
        f"Example:  tokumei price pareto {FILES} --k 2-10",
        "価値を k と攻撃の成功率に対して示し、他に劣らない答えを選びます。\n\n"
        f"例:  tokumei price pareto {FILES} --k 2-10",
    ),
}


def register(group: typer.Typer) -> None:
    """Add the commands to `tokumei price`."""
    for command in (show, diff, curve, pareto):
        group.command(help=HELP[command.__name__].show())(command)


def show(
    data: Data,
    patterns: Patterns,
    words: Annotated[
        str | None,
        typer.Option(help=Text("the words of attribute=pattern", "属性=パターンの語").show()),
    ] = None,
    columns: PriceColumns = None,
    keywords: KeywordFile = None,
    synonyms: Synonyms = None,
    currency: Currency = None,
    date: Date = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    json: Json = False,
) -> None:
    """Show what a price list makes of a table."""
    from dataclasses import asdict

    from tokumei.cli.console import print_json
    from tokumei.cli.options import pairs
    from tokumei.cli.price.tables import print_population, print_words
    from tokumei.price.tables import summary, word_table

    session = open_session(
        data,
        patterns,
        columns=columns,
        sep=sep,
        encoding=encoding,
        keywords=keywords,
        synonyms=synonyms,
        currency=currency,
        date=date,
    )
    problem, prices = session.problem(), session.prices
    wanted = pairs(None if words is None else [words])
    if json:
        lines = {
            name: [asdict(line) for line in word_table(problem, name, pattern)]
            for name, pattern in wanted.items()
        }
        print_json({**summary(problem), "words": lines, "prices": prices.record()})
        return
    print_population(problem)
    for name, pattern in wanted.items():
        print_words(problem, name, pattern)
    tell_unpriced(prices)


def diff(
    data: Data,
    before: Annotated[str, typer.Option(help=Text("old price list", "前の価格表").show())],
    after: Annotated[str, typer.Option(help=Text("new price list", "後の価格表").show())],
    k: K = 2,
    suppression: Suppression = 0.0,
    columns: PriceColumns = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    json: Json = False,
) -> None:
    """Compare the optima of two price lists."""
    from tokumei.cli.console import print_json
    from tokumei.cli.price.tables import print_difference
    from tokumei.price.difference import compare_prices

    new = read_prices(after, encoding=encoding)
    session = open_session(data, before, columns=columns, sep=sep, encoding=encoding)
    found = compare_prices(session, new, question_of(k, suppression=suppression))
    if json:
        print_json(found.as_json())
        return
    print_difference(found)


def curve(
    data: Data,
    patterns: Patterns,
    k: Ks = "2-20",
    suppression: Suppression = 0.0,
    columns: PriceColumns = None,
    keywords: KeywordFile = None,
    synonyms: Synonyms = None,
    currency: Currency = None,
    date: Date = None,
    out: Annotated[
        str | None, typer.Option(help=Text("folder for the results", "結果のフォルダ").show())
    ] = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    json: Json = False,
) -> None:
    """The highest value for every k."""
    from tokumei.cli.console import note, print_json, show_progress
    from tokumei.cli.price.tables import print_curve
    from tokumei.price.curve import value_curve

    show_progress()
    session = open_session(
        data,
        patterns,
        columns=columns,
        sep=sep,
        encoding=encoding,
        keywords=keywords,
        synonyms=synonyms,
        currency=currency,
        date=date,
    )
    question = question_of(2, suppression=suppression)
    points = value_curve(session, numbers(k, "--k"), question=question)
    if out is not None:
        from tokumei.files.atomic import write_all
        from tokumei.files.releases import make_folder
        from tokumei.price.report.page import price_outputs

        write_all(price_outputs(session.problem(), points, make_folder(out)))
        note(Text(f"Report: {out}/report.html", f"レポート: {out}/report.html"))
    if json:
        print_json([point.as_json() for point in points])
        return
    print_curve(points)


def pareto(
    data: Data,
    patterns: Patterns,
    k: Ks = "2-10",
    best: Best = 1,
    suppression: Suppression = 0.0,
    attacks: Annotated[
        str, typer.Option(help=Text("attacks: linkage,…", "攻撃: linkage,…").show())
    ] = "linkage",
    columns: PriceColumns = None,
    keywords: KeywordFile = None,
    synonyms: Synonyms = None,
    currency: Currency = None,
    date: Date = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Value and safety of the best answers."""
    from tokumei.cli.console import print_json, show_progress
    from tokumei.cli.price.tables import print_frontier
    from tokumei.price.curve import value_frontier

    show_progress()
    session = open_session(
        data,
        patterns,
        columns=columns,
        sep=sep,
        encoding=encoding,
        keywords=keywords,
        synonyms=synonyms,
        currency=currency,
        date=date,
    )
    given: dict[str, Any] = {"question": question_of(2, suppression=suppression, best=best)}
    points = value_frontier(
        session, numbers(k, "--k"), attacks=split(attacks) or [], seed=seed, **given
    )
    if json:
        print_json([point.as_json() for point in points])
        return
    print_frontier(points)
