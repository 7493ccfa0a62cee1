"""Privacy models on the command line: the same words to ask for one and to check it.

--k 5 --l 3 --t 0.2 --model entropy-l=2.5 --model recursive=3,2 --person patient
"""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.core.text import Text
from tokumei.tables.ask.models import asked_claims, asked_models

__all__ = ["asked_claims", "asked_models"]

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help=Text(
            "a privacy model, repeatable: entropy-l=2.5, recursive=3,2, alpha=0.5, t-ordered=0.2, "
            "t-hierarchical=0.2, beta=1, enhanced-beta=1, delta=1.5",
            "プライバシーモデル (複数可): entropy-l=2.5、recursive=3,2、alpha=0.5、t-ordered=0.2、"
            "t-hierarchical=0.2、beta=1、enhanced-beta=1、delta=1.5",
        ).show(),
    ),
]
Distinct = Annotated[
    int | None, typer.Option("--l", help=Text("distinct l-diversity", "l-多様性").show())
]
Closeness = Annotated[
    float | None, typer.Option("--t", help=Text("t-closeness (equal)", "t-近接性").show())
]
Person = Annotated[
    str | None,
    typer.Option(
        "--person",
        help=Text(
            "count k in persons, named by this column (anonymize drops it)",
            "k を人数で数える。個人を表す列 (匿名加工では削除)",
        ).show(),
    ),
]
