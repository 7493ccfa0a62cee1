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


class TableEngine(StrEnum):
    """Where the rows of a table are."""

    local = "local"
    stream = "stream"
    spark = "spark"


TableEngineOption = Annotated[
    TableEngine,
    typer.Option(
        "--engine",
        help=Text(
            "local; stream: rows stay on disk (as they do anyway if memory is too small); "
            "spark: they stay on a cluster (see --master)",
            "local、stream (行はディスクに置かれます。メモリが足りなければ自動)、"
            "spark (クラスターに置かれます。--master 参照)",
        ).show(),
    ),
]
EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help=Text(
            "local, or spark: rows stay on a cluster (see --master)",
            "local か spark (行はクラスターに置かれます。--master 参照)",
        ).show(),
    ),
]
SparkMaster = Annotated[
    str | None,
    typer.Option(
        "--master",
        help=Text(
            "spark: the cluster, e.g. spark://host:7077, yarn, local[*]",
            "spark: クラスター (例 spark://host:7077、yarn、local[*])",
        ).show(),
    ),
]
CustomersOrCluster = Annotated[
    str | None,
    typer.Option(
        "--master",
        help=Text(
            "pws2017: the customers M; --engine spark: the cluster, e.g. spark://host:7077",
            "pws2017: 顧客データ M。--engine spark: クラスター (例 spark://host:7077)",
        ).show(),
    ),
]
Fragments = Annotated[
    int | None,
    typer.Option(
        min=1,
        help=Text(
            "spark: work in about this many fragments instead of on the driver (mondrian)",
            "spark: ドライバーではなく、およそこの数の断片で処理 (mondrian)",
        ).show(),
    ),
]


def refuse_for_local(**options: object) -> None:
    """Fail if an option was given that only the Spark engine uses."""
    for name, value in options.items():
        if value is not None:
            raise UsageError(
                Text(
                    f"--{name} needs --engine spark",
                    f"--{name} には --engine spark が必要です",
                )
            )


def refuse_with_spark(**options: object) -> None:
    """Fail if an option was given that the command does not use on Spark."""
    for name, value in options.items():
        if value not in (None, []):
            raise UsageError(
                Text(
                    f"--engine spark does not use --{name}",
                    f"--engine spark では --{name} を使いません",
                )
            )
