"""What some commands need besides the library."""

from __future__ import annotations

import importlib

from tokumei.core.errors import UsageError

SERVER = ("fastapi", "sqlalchemy", "alembic", "uvicorn", "pwdlib", "python_multipart")


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
