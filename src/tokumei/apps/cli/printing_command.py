"""Base class of commands that print while they work; checks for optional packages."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from tokumei.core.command import Command
from tokumei.core.errors import UsageError

SERVER_PACKAGES = ("fastapi", "sqlalchemy", "alembic", "uvicorn", "pwdlib", "python_multipart")


@dataclass(frozen=True, kw_only=True)
class PrintingCommand(Command):
    """Base of commands that print for themselves: servers, uploads, several documents."""

    def run(self, *, as_json: bool) -> int:
        """Do the work and print the result; the exit code."""
        raise NotImplementedError


def require_extra(*modules: str, extra: str = "contest") -> None:
    """Fail with the remedy unless the modules of an extra can be imported."""
    for name in modules or SERVER_PACKAGES:
        try:
            importlib.import_module(name)
        except ImportError:
            remedy = f'pip install "tokumei[{extra}]"'
            raise UsageError(
                "this command needs {name}: {remedy}", name=name, remedy=remedy
            ) from None
