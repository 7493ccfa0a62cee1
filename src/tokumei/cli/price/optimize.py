"""`tokumei price optimize|value`: the recoding worth most, and what a release is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.options import Encoding, Json, Released, Seed, Sep, split
from tokumei.cli.price.inputs import (
    Best,
    Currency,
    CutOff,
    Data,
    Date,
    Go,
    K,
    KeywordFile,
    Least,
    Patterns,
    PriceColumns,
    Seconds,
    Stay,
    Suppression,
    Synonyms,
    open_session,
    question_of,
    read_people,
    read_prices,
    tell_unpriced,
    warn_of_many,
)
from tokumei.cli.spark_options import Engine, EngineOption, SparkMaster, refuse_for_local
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.data.table import Release

OPTIMIZE = Text(
    "The k-anonymous recoding with the highest value, proven. With --out the recoded table is "
    "verified and written.\n\n"
    "Example:  tokumei price optimize --data people.csv --patterns prices.csv --k 5 --out y.csv",
    "価値が最も高い k-匿名の加工を、証明つきで求めます。--out で加工した表を検証して書き出します。"
    "\n\n例:  tokumei price optimize --data people.csv --patterns prices.csv --k 5 --out y.csv",
)
VALUE = Text(
    "What a release is worth, whoever made it: per attribute and in total.\n\n"
    "Example:  tokumei price value --data people.csv --release y.csv --patterns prices.csv",
    "匿名加工データ (どの道具で作ったものでも) の価値を、属性ごとと合計で示します。\n\n"
    "例:  tokumei price value --data people.csv --release y.csv --patterns prices.csv",
)


def register(group: typer.Typer) -> None:
    """Add the commands."""
    group.command(help=OPTIMIZE.show())(optimize)
    group.command(help=VALUE.show())(value)


def optimize(
    data: Data,
    patterns: Patterns,
    k: K = 2,
    suppression: Suppression = 0.0,
    least: Least = None,
    stay: Stay = None,
    go: Go = None,
    best: Best = 1,
    seconds: Seconds = None,
    cut_off: CutOff = 0.0,
    columns: PriceColumns = None,
    keywords: KeywordFile = None,
    synonyms: Synonyms = None,
    currency: Currency = None,
    date: Date = None,
    out: Annotated[
        str | None, typer.Option(help=Text("the release to write", "出力ファイル").show())
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(help=Text("write the link here (mode 0600)", "対応表の出力先").show()),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            help=Text("columns to release unchanged: a,b", "そのまま出力する列: a,b").show()
        ),
    ] = None,
    keep_order: Annotated[
        bool, typer.Option(help=Text("do not shuffle the rows", "行を並べ替えない").show())
    ] = False,
    engine: EngineOption = Engine.local,
    master: SparkMaster = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Find and, if asked, write the best recoding."""
    from tokumei.cli.console import print_json, show_progress
    from tokumei.cli.price.tables import print_answers
    from tokumei.core.options import spare_sources
    from tokumei.files.containers import sha256

    show_progress()
    for source in (data, patterns, keywords, synonyms):
        if source is not None and out is not None:
            spare_sources([source], [out, f"{out}.manifest.json", secret])
    question = question_of(
        k,
        suppression=suppression,
        least=least,
        stay=stay,
        go=go,
        best=best,
        seconds=seconds,
        cut_off=cut_off,
    )
    listed = {"keywords": keywords, "synonyms": synonyms, "currency": currency, "date": date}
    if engine is Engine.spark:
        from tokumei.cli.price.spark import PriceCommand

        prices = read_prices(patterns, encoding="auto", **listed)
        command = PriceCommand(data, prices, question, split(columns), master, sep, encoding)
        command.run(out, secret, split(keep) or [], keep_order=keep_order, seed=seed, json=json)
        return
    refuse_for_local(master=master)
    session = open_session(data, patterns, columns=columns, sep=sep, encoding=encoding, **listed)
    warn_of_many(session, seconds)
    asked = session.ask(question)
    told = asked.as_json()
    if out is not None:
        kept = split(keep) or []
        made = session.release(
            asked, keep=kept, keep_order=keep_order, seed=seed, sha256=sha256(data)
        )
        _write(made, data, out, secret, sep, encoding)
    unpriced = [{"attribute": name, "word": word} for name, word in session.prices.unpriced]
    if json:
        print_json(told | {"rows": session.rows, "unpriced": unpriced, "out": out})
        return
    print_answers(asked)
    tell_unpriced(session.prices)


def value(
    data: Data,
    release: Released,
    patterns: Patterns,
    columns: PriceColumns = None,
    keywords: KeywordFile = None,
    synonyms: Synonyms = None,
    currency: Currency = None,
    date: Date = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    json: Json = False,
) -> None:
    """Value a release against its original."""
    from tokumei.cli.console import print_json
    from tokumei.cli.price.tables import print_valuation
    from tokumei.price.valuation import value_release

    prices = read_prices(
        patterns,
        keywords=keywords,
        synonyms=synonyms,
        currency=currency,
        date=date,
        encoding=encoding,
    )
    people = read_people(data, sep=sep, encoding=encoding)
    public = read_people(release, sep=sep, encoding=encoding)
    found = value_release(people, public, prices, columns=split(columns))
    if json:
        print_json({**found.as_json(), "prices": prices.record()})
        return
    print_valuation(found)


def _write(
    release: Release, data: str, out: str, secret: str | None, sep: str | None, encoding: str
) -> None:
    from tokumei.cli.console import note
    from tokumei.files.reading import separator_of
    from tokumei.flow import save

    save(release, out, secret=secret, sep=sep or separator_of(data, encoding=encoding))
    claims = ", ".join(claim.rule for claim in release.claims) or "–"
    note(
        Text(
            f"{out}: {release.public.rows:,} rows; verified: {claims}",
            f"{out}: {release.public.rows:,} 行。検証済み: {claims}",
        )
    )
