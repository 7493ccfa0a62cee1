"""What is imported when first used: the names of a module, and things named where they stand.

    if TYPE_CHECKING:
        from tokumei.flow import anonymize as anonymize
    else:
        __getattr__, __dir__, __all__ = lazy(__name__, {"tokumei.flow": "anonymize"})

Type checkers read the first branch, Python the second; a test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

Lazy = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]
"""What a module calls `__getattr__`, `__dir__` and `__all__`."""


def lazy(module: str, homes: Mapping[str, str], *, modules: str = "") -> Lazy:
    """The names of a module, by the modules they come from.

    `modules` inside it can be used without an import of their own; they are not in `__all__`.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        if name in modules.split():
            return import_module(f"{module}.{name}")
        if name not in home_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        found = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[module], name, found)
        return found

    public = sorted(home_of)
    return load, lambda: public, public


def load(home: str) -> Any:
    """What `package.module:name` names."""
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)
