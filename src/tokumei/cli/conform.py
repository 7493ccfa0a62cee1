"""`tokumei conform`: evidence for the person who answers for a release."""

from __future__ import annotations

from typing import Annotated, Any

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
    pairs,
    split,
)
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

EXAMPLE = (
    "tokumei conform --original x.csv --release y.csv --truth link.csv --qi age,sex --sa income "
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
            "検査し、合格・不合格・要確認の別と根拠を、ページ (--out)、JSON、公開できる"
            "マニフェストとして出力します。不合格があれば終了コード 1。"
            f"適法性を判定するものではありません。\n\n例:  {EXAMPLE}",
        ).show()
    )(conform)


def _option(en: str, ja: str) -> Any:
    return typer.Option(help=Text(en, ja).show())


def _format_option() -> Any:
    from tokumei.kinds import all_kinds

    names = ", ".join(sorted({name for kind in all_kinds() for name in kind.conformity}))
    return _option(f"format of the files: {names}", f"ファイルの形式: {names}")


def conform(
    original: Original,
    release: Released,
    format: Annotated[str, _format_option()] = "table",
    master: Annotated[str | None, _option("the customers M", "顧客 M")] = None,
    public: Annotated[str | None, _option("the public file", "公開ファイル")] = None,
    out: Annotated[str | None, _option("the page to write", "出力する HTML")] = None,
    manifest: Annotated[
        str | None, _option("public manifest to write", "公開用マニフェストの出力先")
    ] = None,
    earlier: Annotated[
        list[str] | None, _option("another release (repeatable)", "過去の匿名加工データ (複数可)")
    ] = None,
    truth: Truth = None,
    qi: Qi = None,
    sa: Sa = None,
    id: Annotated[str | None, _option("identifiers of the original", "元の識別子の列")] = None,
    person: Annotated[str | None, _option("column that names people", "人を表す列")] = None,
    pseudonym: Annotated[str | None, _option("column of pseudonyms", "仮名の列")] = None,
    roles: Annotated[
        str | None,
        _option(
            "columns of purchases: day=Date,item=Code,price=Price,quantity=Qty,invoice=No",
            "購買の列: day=Date,item=Code,price=Price,quantity=Qty,invoice=No",
        ),
    ] = None,
    price_sd: Annotated[
        float, _option("limit of unit prices in sd", "単価の限度 (標準偏差)")
    ] = 4.0,
    tail: Annotated[
        list[str] | None, _option("column=limit, e.g. age=90", "列=限度 (例 age=90)")
    ] = None,
    k: Annotated[int, _option("people who must look alike", "区別できない人数の下限 (k)")] = 2,
    max_rate: Annotated[
        float | None, _option("attack rate from which the check fails", "不合格とする攻撃成功率")
    ] = None,
    max_lifetime: Annotated[
        int | None, _option("months a pseudonym may be used", "仮名の有効期間の上限 (月)")
    ] = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Write the conformity report of a release."""
    from tokumei.cli.console import print_json, show_progress
    from tokumei.conformity.conform import conformity_of
    from tokumei.conformity.page import render_conformity
    from tokumei.core.conformity import CaseFiles, Limits, Roles
    from tokumei.core.options import spare_sources
    from tokumei.core.text import as_json_text, current_language
    from tokumei.files.atomic import write_all
    from tokumei.files.writing import text_output

    show_progress()
    read = (original, release, master, public, truth, *(earlier or ()))
    spare_sources(read, [out, manifest])
    files = CaseFiles(
        format,
        original,
        release,
        master=master,
        public=public,
        earlier=tuple(earlier or ()),
        truth=truth,
        sa=None if sa is None else tuple(split(sa) or ()),
        sep=sep,
        encoding=encoding,
        roles=Roles(
            person=person,
            pseudonym=pseudonym,
            identifiers=tuple(split(id) or ()),
            qi=tuple(split(qi) or ()),
            **_roles(pairs(split(roles))),
        ),
        limits=Limits(
            price_sd=price_sd, tails=_tails(tail), k=k, rate=max_rate, lifetime=max_lifetime
        ),
    )
    found = conformity_of(files, seed=seed or 0)
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
    from rich.cells import set_cell_size

    from tokumei.conformity.finding import Verdict

    for one in found.findings:
        verdict = set_cell_size(one.verdict.word.show(), 12)
        print(f"{verdict} {one.title.show()}: {one.summary.show()}")
    total, counts = len(found.findings), found.counts
    words = {Verdict(name).word: number for name, number in counts.items()}
    english = ", ".join(f"{number} {word.en}" for word, number in words.items())
    japanese = "、".join(f"{word.ja} {number}" for word, number in words.items())
    print(Text(f"{total} checks: {english}", f"全 {total} 項目: {japanese}").show())


def _tails(given: list[str] | None) -> dict[str, float]:
    try:
        return TAILS | {name: float(limit) for name, limit in pairs(given).items()}
    except ValueError:
        raise UsageError("--tail needs column=number", "--tail は 列=数値 と書きます") from None


def _roles(named: dict[str, str]) -> dict[str, Any]:
    from tokumei.core.conformity import ROLES
    from tokumei.core.errors import UnknownNameError

    for name in named:
        if name not in ROLES:
            raise UnknownNameError(Text("role", "役割"), name, ROLES, where="--roles")
    return dict(named)
