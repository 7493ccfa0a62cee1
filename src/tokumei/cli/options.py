"""Options that several commands share, and what some need besides the library."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from tokumei.core.errors import UsageError
from tokumei.core.text import Text

SERVER = ("fastapi", "sqlalchemy", "alembic", "uvicorn", "pwdlib", "python_multipart")


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


Json = Annotated[
    bool, typer.Option("--json", help=_help("one JSON document on stdout", "JSON を標準出力へ"))
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help=_help(
            "repeat the same draws (default: random, from the operating system)",
            "再現可能にする (既定は OS の乱数)",
        ),
    ),
]
KeyFile = Annotated[
    str | None,
    typer.Option(
        "--key",
        help=_help(
            "repeat the same draws, for publication: a file made by `tokumei key`",
            "同じ乱数を再現する (公開用): `tokumei key` で作った鍵ファイル",
        ),
    ),
]
Sep = Annotated[
    str | None,
    typer.Option(help=_help("separator (default: detected)", "区切り文字 (既定は自動判別)")),
]
Encoding = Annotated[
    str,
    typer.Option(
        help=_help(
            "text encoding, e.g. cp932 (default: detected)", "文字コード (例 cp932。既定は自動判別)"
        )
    ),
]


def require_extra(*modules: str, extra: str = "contest") -> None:
    """Fail with the remedy unless the modules of an extra can be imported."""
    for name in modules or SERVER:
        try:
            importlib.import_module(name)
        except ImportError:
            remedy = f'pip install "tokumei[{extra}]"'
            raise UsageError(
                f"this command needs {name}: {remedy}",
                f"このコマンドには {name} が必要です: {remedy}",
            ) from None
