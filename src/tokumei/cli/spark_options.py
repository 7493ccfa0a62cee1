"""Where a command computes: on this machine or on a Spark cluster."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tokumei.core.errors import UsageError
from tokumei.core.text import Text


class Engine(StrEnum):
    """Where the rows are."""

    local = "local"
    spark = "spark"


EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help=Text(
            "local, or spark: rows stay on a cluster (see --cluster)",
            "local か spark (行はクラスターに置かれます。--cluster 参照)",
        ).show(),
    ),
]
SparkMaster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        "--master",
        help=Text(
            "spark: the cluster, e.g. spark://host:7077, yarn, local[*]",
            "spark: クラスター (例 spark://host:7077、yarn、local[*])",
        ).show(),
    ),
]


def refuse_for_local(**options: object) -> None:
    """Fail if an option was given that only the Spark engine uses."""
    for name, value in options.items():
        if value is not None:
            raise UsageError(
                f"--{name} needs --engine spark", f"--{name} には --engine spark が必要です"
            )
