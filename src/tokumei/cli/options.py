"""Options that several commands share, and what some need besides the library."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer

from tokumei.core.errors import UsageError
from tokumei.core.options import encoding_option, key_option, seed_option, sep_option
from tokumei.core.text import Text

SERVER = ("fastapi", "sqlalchemy", "alembic", "uvicorn", "pwdlib", "python_multipart")


def about(en: str, ja: str, example: str) -> Text:
    """What help says of a command, with an example that runs."""
    return Text(f"{en}\n\nExample:  {example}", f"{ja}\n\n例:  {example}")


def told(en: str, ja: str) -> str:
    """A sentence in the language in force."""
    return Text(en, ja).show()


def option(en: str, ja: str, *names: str, **more: Any) -> Any:
    """An option and what help says of it."""
    return typer.Option(*names, help=told(en, ja), **more)


def argument(en: str, ja: str, **more: Any) -> Any:
    """An argument and what help says of it."""
    return typer.Argument(help=told(en, ja), **more)


def _said(field: Any) -> str:
    text: Text = field.metadata["help"]
    return text.show()


Json = Annotated[bool, option("one JSON document on stdout", "JSON を標準出力へ", "--json")]
Seed = Annotated[int | None, typer.Option(min=0, help=_said(seed_option()))]
KeyFile = Annotated[str | None, typer.Option("--key", help=_said(key_option()))]
Sep = Annotated[str | None, typer.Option(help=_said(sep_option()))]
Encoding = Annotated[str, typer.Option(help=_said(encoding_option()))]


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
