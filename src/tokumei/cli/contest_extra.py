"""What `tokumei contest` needs besides the library."""

from __future__ import annotations

import importlib

from tokumei.core.errors import UsageError
from tokumei.core.text import Text

SERVER = ("fastapi", "sqlalchemy", "alembic", "uvicorn", "pwdlib", "python_multipart")


def require_extra(*modules: str) -> None:
    """Fail with the remedy unless the modules of the extra `contest` can be imported."""
    for name in modules or SERVER:
        try:
            importlib.import_module(name)
        except ImportError:
            remedy = 'pip install "tokumei[contest]"'
            raise UsageError(
                Text(
                    f"this command needs {name}: {remedy}",
                    f"このコマンドには {name} が必要です: {remedy}",
                )
            ) from None
