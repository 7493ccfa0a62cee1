"""`tokumei conform`: evidence for the person who answers for a release."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli.options import (
    Encoding,
    FormatOption,
    Json,
    Original,
    Qi,
    Released,
    Sa,
    Seed,
    Sep,
    Truth,
    pairs,
    split,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

EXAMPLE = (
    "tokumei conform --format pws2017 --original T.csv --master M.csv --release A.csv "
    "--out conformity.html"
)
TAILS = {"age": 90.0, "年齢": 90.0}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Check a release against the five items of Article 34 of the APPI's enforcement rules "
            "(and the questions of the GDPR's guidance): PASS, FAIL or NEEDS-HUMAN with evidence, "
            "as a page (--out), as JSON, and as a manifest that may be published. Exit code 1 if a "
            "check fails. It shows evidence; it never declares lawfulness.\n\n"
            f"Example:  {EXAMPLE}",
            "匿名加工データを個人情報保護法施行規則 第 34 条の 5 つの号 (と GDPR の指針) に沿って"
            "検査し、PASS・FAIL・NEEDS-HUMAN と根拠を、ページ (--out)、JSON、公開できる"
            "マニフェストとして出力します。FAIL があれば終了コード 1。"
            f"適法かどうかを宣言するものではありません。\n\n例:  {EXAMPLE}",
        ).show()
    )(conform)


def _option(en: str, ja: str) -> Any:
    return typer.Option(help=Text(en, ja).show())


def conform(
    original: Original,
    release: Released,
    format: FormatOption = FileFormat.table,
    master: Annotated[str | None, _option("pws2017: the customers M", "pws2017: 顧客 M")] = None,
    public: Annotated[str | None, _option("the public file", "公開ファイル")] = None,
    out: Annotated[str | None, _option("the page to write", "出力する HTML")] = None,
    manifest: Annotated[
        str | None, _option("public manifest to write", "公開用マニフェストの出力先")
    ] = None,
    earlier: Annotated[
        list[str] | None, _option("another release (repeatable)", "ほかの提供データ (複数可)")
    ] = None,
    truth: Truth = None,
    qi: Qi = None,
    sa: Sa = None,
    id: Annotated[str | None, _option("identifiers of the original", "元の識別子の列")] = None,
    person: Annotated[
        str | None, _option("table: column that names people", "table: 人を表す列")
    ] = None,
    pseudonym: Annotated[
        str | None, _option("table: column of pseudonyms", "table: 仮名の列")
    ] = None,
    roles: Annotated[
        str | None,
        _option(
            "table: day=Date,item=Code,price=Price,quantity=Qty,invoice=No",
            "table: day=Date,item=Code,price=Price,quantity=Qty,invoice=No",
        ),
    ] = None,
    price_sd: Annotated[
        float, _option("limit of unit prices in sd", "単価の限度 (標準偏差)")
    ] = 4.0,
    tail: Annotated[
        list[str] | None, _option("column=limit, e.g. age=90", "列=限度 (例 age=90)")
    ] = None,
    k: Annotated[int, _option("people who must look alike", "同じに見える人数の下限")] = 2,
    max_rate: Annotated[
        float | None, _option("attack rate that fails", "FAIL とする攻撃成功率")
    ] = None,
    max_lifetime: Annotated[
        int | None, _option("months a pseudonym may live", "仮名の寿命の上限 (月)")
    ] = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Write the conformity report of a release."""
    from tokumei.cli.conform_files import Inputs, conformity_of
    from tokumei.cli.console import print_json, show_progress
    from tokumei.conformity.case import Limits, Roles
    from tokumei.conformity.page import render_conformity
    from tokumei.core.json_text import as_json_text
    from tokumei.core.options import spare_sources
    from tokumei.core.text import current_language
    from tokumei.files.atomic import write_all
    from tokumei.files.writing import text_output

    show_progress()
    read = (original, release, master, public, truth, *(earlier or ()))
    spare_sources(read, [out, manifest])
    limits = Limits(
        price_sd=price_sd, tails=_tails(tail), k=k, rate=max_rate, lifetime=max_lifetime
    )
    named = pairs(split(roles))
    _require_roles(named, format)
    found = conformity_of(
        Inputs(
            format,
            original,
            release,
            master,
            public,
            tuple(earlier or ()),
            truth,
            qi,
            sa,
            sep,
            encoding,
        ),
        Roles(
            person=person,
            pseudonym=pseudonym,
            identifiers=tuple(split(id) or ()),
            qi=tuple(split(qi) or ()),
            **named,
        ),
        limits,
        seed=seed or 0,
    )
    outputs = []
    if out is not None:
        outputs.append(text_output(render_conformity(found, lang=current_language()), out))
    if manifest is not None:
        outputs.append(text_output(as_json_text(found.manifest()), manifest))
    write_all(outputs)
    if json:
        print_json(found.as_json())
    else:
        _show(found)
    raise typer.Exit(1 if found.failed else 0)


def _show(found: Any) -> None:
    for one in found.findings:
        print(f"{one.verdict.value:<12} {one.title.show()}: {one.summary.show()}")
    counts = ", ".join(f"{number} {name}" for name, number in found.counts.items())
    print(
        Text(
            f"{len(found.findings)} checks: {counts}", f"全 {len(found.findings)} 項目: {counts}"
        ).show()
    )


def _tails(given: list[str] | None) -> dict[str, float]:
    try:
        return TAILS | {name: float(limit) for name, limit in pairs(given).items()}
    except ValueError:
        raise UsageError(
            Text("--tail needs column=number", "--tail は 列=数値 と書きます")
        ) from None


def _require_roles(named: dict[str, str], format: FileFormat) -> None:
    from tokumei.core.errors import UnknownNameError

    valid = ("day", "item", "price", "quantity", "invoice")
    for name in named:
        if name not in valid:
            raise UnknownNameError(Text("role", "役割"), name, valid, where="--roles")
    if named and format is not FileFormat.table:
        raise UsageError(Text("--roles is for --format table", "--roles は --format table 用です"))
