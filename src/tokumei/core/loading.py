"""Things that are named where they stand, and imported when first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(home: str) -> Any:
    """What `package.module:name` names."""
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)
