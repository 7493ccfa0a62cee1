"""`tokumei attack`: try to re-identify the rows of a release."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli.options import (
    Encoding,
    FormatOption,
    Json,
    Master,
    OriginalIfNeeded,
    Qi,
    ReleasedIfNeeded,
    Sa,
    Seed,
    Sep,
    Truth,
    required,
    split,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.core.text import Text

EXAMPLE = (
    "tokumei attack --original x.csv --release y.csv --qi age,sex --sa income --truth link.csv"
)
PERIODS = (
    "tokumei attack --format pws2017 --master M.csv --known T25.csv --public S.csv --out Fh.csv"
)
HISTORY = "tokumei attack --format pws2018 --known T.csv --public A1.csv --method best --out F1.csv"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Attack a release with everything there is, and say how often each attack is right: "
            "rate, 95 % interval, and what a blind guess reaches.\n\n"
            "The released rows are shuffled first, so that no attack gains from their order "
            f"(--as-is keeps it).\n\nExample:  {EXAMPLE}\n\nHistories:  {HISTORY}\n\n{PERIODS}",
            "匿名加工データをすべての攻撃にかけ、再識別率・95 % 区間・"
            "無作為な推測の率を示します。\n\n"
            "行の順番から得をしないよう、先に並べ替えます (--as-is で元の順)。\n\n"
            f"例:  {EXAMPLE}\n\n履歴:  {HISTORY}\n\n{PERIODS}",
        ).show()
    )(attack)


def attack(
    original: OriginalIfNeeded = None,
    release: ReleasedIfNeeded = None,
    format: FormatOption = FileFormat.table,
    known: Annotated[
        str | None, typer.Option(help=Text("histories: what is known", "履歴: 知識").show())
    ] = None,
    public: Annotated[
        str | None, typer.Option(help=Text("histories: the public file", "履歴: 公開行").show())
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help=Text(
                "histories: an attack's name (pws2017: or all, with --secret)",
                "履歴: 攻撃の名前 (pws2017 では --secret とともに all も可)",
            ).show()
        ),
    ] = "best",
    master: Master = None,
    secret: Annotated[
        str | None,
        typer.Option(
            help=Text("pws2017: the true table F, for rates", "pws2017: 真の仮名表 F (率用)").show()
        ),
    ] = None,
    answers: Annotated[
        str,
        typer.Option(
            help=Text("pws2018: all, most-confident or N", "pws2018: all, most-confident, N").show()
        ),
    ] = "all",
    out: Annotated[
        str | None, typer.Option(help=Text("histories: guess to write", "履歴: 出力").show())
    ] = None,
    qi: Qi = None,
    sa: Sa = None,
    truth: Truth = None,
    methods: Annotated[
        str, typer.Option(help=Text("all, or names: E1,EUC2", "all または名前: E1,EUC2").show())
    ] = "all",
    sa_near: Annotated[
        str | None, typer.Option(help=Text("E2: its SA column", "E2 の機密属性").show())
    ] = None,
    sa_only: Annotated[
        str | None, typer.Option(help=Text("E4: its SA column", "E4 の機密属性").show())
    ] = None,
    standardize: Annotated[
        bool, typer.Option("--standardize", help=Text("EUC: SA by their sd", "EUC: 標準化").show())
    ] = False,
    assign: Annotated[
        bool, typer.Option("--assign", help=Text("EUC: one-to-one", "EUC: 一対一割当").show())
    ] = False,
    aware: Annotated[
        bool,
        typer.Option(
            "--aware", help=Text("EUC: read generalized cells", "EUC: 一般化セル対応").show()
        ),
    ] = False,
    as_is: Annotated[
        bool, typer.Option("--as-is", help=Text("keep the file's order", "行順を保つ").show())
    ] = False,
    expected: Annotated[
        bool,
        typer.Option(
            "--expected", help=Text("exact expected rates, no draw", "期待値を厳密に計算").show()
        ),
    ] = False,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Attack a release."""
    from tokumei.cli.attack_history import attack_contest
    from tokumei.cli.attack_periods import PeriodFiles, attack_period_files
    from tokumei.cli.console import note, print_json, show_progress
    from tokumei.cli.inputs import read_case
    from tokumei.core.randomness import Randomness
    from tokumei.tables.diagnosis.columns import look_at_columns
    from tokumei.tables.diagnosis.link import link_evidence
    from tokumei.tables.suite import attack_suite, strongest

    show_progress()
    if format is FileFormat.pws2017:
        files = PeriodFiles(
            required(master, "--master", format),
            required(public, "--public", format),
            required(known, "--known", format),
            secret,
            encoding,
        )
        attack_period_files(files, method=method, out=out, seed=seed, json=json)
        return
    if format is not FileFormat.table:
        attack_contest(
            format,
            known=required(known, "--known", format),
            public=required(public, "--public", format),
            method=method,
            answers=answers,
            out=out,
            encoding=encoding,
            seed=seed,
            json=json,
        )
        return
    original = required(original, "--original", format)
    release = required(release, "--release", format)
    case = read_case(original, release, truth=truth, qi=qi, sa=sa, sep=sep, encoding=encoding)
    euclid = {"standardize": standardize, "assign": assign, "aware": aware}
    euclid = {name: True for name, chosen in euclid.items() if chosen}
    params: dict[str, dict[str, Any]] = {"EUC1": euclid, "EUC2": euclid}
    params["E2"] = {"column": sa_near} if sa_near else {}
    params["E4"] = {"column": sa_only} if sa_only else {}
    names = [] if methods == "all" else (split(methods) or [])
    rates = attack_suite(
        case, names, rng=Randomness(seed), params=params, as_is=as_is, expected=expected
    )
    best = strongest(rates)
    for evidence in link_evidence(case, look_at_columns(case))[0]:
        note(
            Text(
                f"WARNING: {evidence.text.en}: low rates prove nothing here (Yamaoka)",
                f"警告: {evidence.text.ja}。低い率は安全の証拠になりません (山岡匿名化)",
            )
        )
    if json:
        found: dict[str, Any] = {name: rate.as_json() for name, rate in rates.items()}
        print_json({**found, "strongest": dict(vars(best))})
    else:
        _show(rates, best)


def _show(rates: dict[str, Any], best: Any) -> None:
    from tokumei.cli.console import print_table
    from tokumei.tables.registry import attackers

    differ = any(rate.released != rate.original for rate in rates.values())
    header = ["", Text("rate", "再識別率").show(), "95 %", Text("blind", "無作為").show()]
    header += [Text("of original", "元データ比").show()] if differ else []
    rows = []
    for name, rate in rates.items():
        mark = " ←" if name == best.attack else ""
        row = [f"{name}  {attackers.get(name).title.show()}{mark}", f"{rate.rate:.4f}"]
        row += [f"{rate.low:.4f}–{rate.high:.4f}", f"{rate.baseline:.5f}"]
        rows.append(row + ([f"{rate.rate_original:.4f}"] if differ else []))
    print_table(Text("Re-identification", "再識別"), header, rows)
    print(
        Text(
            f"The strongest attack counts: {best.attack} {best.rate:.4f} "
            f"({best.low:.4f}–{best.high:.4f}, over the whole suite)",
            f"最も強い攻撃: {best.attack} {best.rate:.4f} "
            f"({best.low:.4f}–{best.high:.4f}、全攻撃の最大として)",
        ).show()
    )
