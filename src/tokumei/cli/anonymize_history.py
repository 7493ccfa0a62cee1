"""`tokumei anonymize history`: a release of a purchase history."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli import anonymize_periods as periods
from tokumei.cli.options import (
    Categories,
    Columns,
    Encoding,
    Format,
    HistoryFormat,
    Items,
    Json,
    Keep,
    Seed,
    Sep,
    refuse,
    required,
    settings,
)
from tokumei.cli.spark_options import (
    CustomersOrCluster,
    Engine,
    EngineOption,
    refuse_with_spark,
)
from tokumei.core.text import Text

EXAMPLE = (
    "tokumei anonymize history --data T.csv --format pws2018 --method aligned --k 6 "
    "--out A.csv --public public.csv --secret people.csv"
)
HELP = Text(
    "Anonymize a purchase history: k customers become exactly alike (pws2018, table), or appear "
    "under changing pseudonyms (pws2017). Nothing is written unless the release proves it.\n\n"
    "--out gets all rows in the original's order (a secret: row i comes from row i), --public what "
    "may be handed out, --secret who is who.\n\n"
    f"Example:  {EXAMPLE}\n\nPseudonyms over time:  {periods.EXAMPLE}",
    "購買履歴を匿名加工します。k 人の顧客がまったく同じ履歴になるか (pws2018, table)、"
    "変わっていく仮名のもとに現れます (pws2017)。検証できなければ何も書き出しません。\n\n"
    "--out は元の行順のままの全行 (秘密)、--public は公開してよいもの、"
    "--secret は仮名と顧客の対応です。\n\n"
    f"例:  {EXAMPLE}\n\n期間ごとの仮名:  {periods.EXAMPLE}",
)


def history(
    data: Annotated[str, typer.Option(help=Text("the history to anonymize", "元の履歴").show())],
    out: Annotated[
        str | None,
        typer.Option(help=Text("row-aligned release (secret)", "行順どおりの出力 (秘密)").show()),
    ] = None,
    format: HistoryFormat = Format.pws2018,
    master: CustomersOrCluster = None,
    method: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "rank-match or aligned; pws2017: pseudonyms",
                "rank-match か aligned。pws2017 では pseudonyms",
            ).show()
        ),
    ] = None,
    k: Annotated[int | None, typer.Option(help="k")] = None,
    effort: Annotated[
        str | None,
        typer.Option(help=Text("aligned: normal or high", "aligned: normal / high").show()),
    ] = None,
    public: Annotated[
        str | None, typer.Option(help=Text("what attackers see", "公開する行").show())
    ] = None,
    secret: Annotated[
        str | None, typer.Option(help=Text("pseudonym,customer", "仮名と顧客の対応").show())
    ] = None,
    lifetime: periods.Lifetime = None,
    exposure: periods.Exposure = None,
    bound: periods.Bound = None,
    exchange: periods.Exchange = None,
    day: periods.Day = None,
    day_shift: periods.DayShift = None,
    time: periods.Time = None,
    time_shift: periods.TimeShift = None,
    price_noise: periods.PriceNoise = None,
    quantity_noise: periods.QuantityNoise = None,
    replace: periods.Replace = None,
    replace_by: periods.ReplaceBy = None,
    delete: periods.Delete = None,
    delete_first: periods.DeleteFirst = None,
    invoice: periods.Invoice = None,
    categories: Categories = None,
    items: Items = None,
    keep: Keep = None,
    set: Annotated[
        list[str] | None,
        typer.Option(help=Text("any parameter: key=value", "任意のパラメータ: key=value").show()),
    ] = None,
    columns: Columns = None,
    engine: EngineOption = Engine.local,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Anonymize a history file."""
    from tokumei.cli.anonymize import spare_original
    from tokumei.cli.console import note, print_json, show_progress
    from tokumei.cli.histories import source_history, written_as
    from tokumei.core.errors import UsageError
    from tokumei.files.containers import sha256
    from tokumei.flow import anonymize, save
    from tokumei.histories.ask.source import categories_for
    from tokumei.histories.measures.loss import history_loss

    show_progress()
    if out is None and public is None:
        raise UsageError(
            Text("give --out, --public or both", "--out か --public を指定してください")
        )
    spare_original(data, [out, public, secret])
    given: dict[str, Any] = {"k": k, "effort": effort, "lifetime": lifetime, "exposure": exposure}
    given |= {"bound": bound, "exchange": exchange, "day_shift": day_shift, "time": time}
    given |= {"day": int(day) if day and day.isdecimal() else day, "time_shift": time_shift}
    given |= {"price_noise": price_noise, "quantity_noise": quantity_noise, "replace": replace}
    given |= {"replace_by": replace_by, "delete": delete, "delete_first": delete_first}
    given |= {"invoice": invoice, **settings(set)}
    given = {name: value for name, value in given.items() if value is not None}
    if engine is Engine.spark and format is not Format.pws2017:
        from tokumei.cli.history_spark import HistoryCommand

        refuse_with_spark(categories=categories, items=items, keep=keep)
        files = data, out, public, secret
        asked = format, method or "rank-match", given
        HistoryCommand(
            *files, *asked, master, columns, sep, encoding=encoding, seed=seed, json=json
        ).run()
        return
    if format is Format.pws2017:
        refuse(format, engine=None if engine is Engine.local else engine)
        refuse(format, categories=categories, items=items, keep=keep, columns=columns, sep=sep)
        periods.anonymize_period_file(
            data,
            master=required(master, "--master", format),
            method=method or "pseudonyms",
            params=given,
            out=out,
            public=public,
            secret=secret,
            encoding=encoding,
            seed=seed,
            json=json,
        )
        return
    refuse(format, master=master)
    source = source_history(data, format, columns=columns, keep=keep, sep=sep, encoding=encoding)
    if categories is not None:
        chosen = categories_for(source, categories, items=items, seed=seed)
        source = source.with_items(chosen.of)
    digest, form = sha256(data), written_as(format)
    release = anonymize(source, method or "aligned", seed=seed, sha256=digest, format=form, **given)
    save(release, public, secret=secret, aligned=out, format=form)
    loss = history_loss(source, release.rows)
    people = release.truth().height
    if json:
        figures = {"people": people, **loss.as_json()}
        print_json({"out": out, "public": public, **figures, **release.manifest()})
        return
    kept, rows = int(release.rows.kept.sum()), source.rows
    everyone = len(source.customers)
    note(
        Text(
            f"{kept:,} of {rows:,} rows and {people:,} of {everyone:,} customers kept; loss "
            f"{loss.loss:.4f}; verified: every history is shared by at least {release.k} people",
            f"{rows:,} 行中 {kept:,} 行、顧客 {everyone:,} 人中 {people:,} 人を保持。損失 "
            f"{loss.loss:.4f}。検証済み: どの履歴も {release.k} 人以上が共有",
        )
    )
