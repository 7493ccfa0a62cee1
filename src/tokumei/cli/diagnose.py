"""`tokumei diagnose`: which methods made this release?"""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import Cross, Encoding, Json, Original, Qi, Released, Sa, Seed, Sep, Truth
from tokumei.core.text import Text

EXAMPLE = (
    "tokumei diagnose --original x.csv --release y.csv --truth link.csv --qi age,sex --sa income"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Tell which of the methods A–H were used, with the evidence, and print the expected "
            f"effects (○ △ × −) beside the measured ones.\n\nExample:  {EXAMPLE}",
            "手法 A〜H のどれが使われたかを根拠とともに推定し、期待される効果 (○ △ × −) を"
            f"測定値と並べて示します。\n\n例:  {EXAMPLE}",
        ).show()
    )(diagnose)


def diagnose(
    original: Original,
    release: Released,
    truth: Truth = None,
    qi: Qi = None,
    sa: Sa = None,
    cross: Cross = None,
    harm: Annotated[
        float,
        typer.Option(
            help=Text("loss above this share is ×", "この割合を超える損失を × とする").show()
        ),
    ] = 0.05,
    times: Annotated[
        float,
        typer.Option(help=Text("attack above so many blind guesses: ×", "無作為の何倍で ×").show()),
    ] = 3.0,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Diagnose a release."""
    from tokumei.cli.console import print_json, print_table, show_progress
    from tokumei.cli.inputs import read_case
    from tokumei.core.randomness import Randomness
    from tokumei.tables.diagnosis.diagnose import diagnose as find
    from tokumei.tables.diagnosis.evidence import METHODS
    from tokumei.tables.diagnosis.symbols import Thresholds

    show_progress()
    case = read_case(
        original, release, truth=truth, qi=qi, sa=sa, cross=cross, sep=sep, encoding=encoding
    )
    found = find(case, rng=Randomness(seed), limits=Thresholds(harm, times))
    if json:
        print_json(found.as_json())
        return
    if not found.methods:
        print(Text("No sign of any method.", "どの手法の痕跡もありません。").show())
    for item in found.evidence:
        print(f"{item.method}  {METHODS[item.method].show()}: {item.text.show()}")
    rows = [[e.measure, e.expected, e.measured, f"{e.value:,.6g}"] for e in found.effects]
    header = [
        "",
        *(t.show() for t in (Text("paper", "論文"), Text("here", "実測"), Text("value", "値"))),
    ]
    print_table(Text("Effects (paper's Table 10)", "効果 (論文の表 10)"), header, rows)
