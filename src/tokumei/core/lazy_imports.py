"""Imports names of a module and single objects when they are first used.

    LazyObject("tokumei.tables.recipe", "TableRecipe").load()

    if TYPE_CHECKING:
        from tokumei.api.releases import anonymize as anonymize
    else:
        __getattr__, __dir__, __all__ = lazy_exports(__name__)

Type checkers read the first branch; Python takes the second, which finds the names in the first.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, cast

T_co = TypeVar("T_co", covariant=True)

LazyHooks = tuple[Callable[[str], object], Callable[[], list[str]], list[str]]
"""The `__getattr__`, `__dir__` and `__all__` of a module."""
_IMPORT = re.compile(r"^    from (\S+) import (\w+ as \w+$|\([^)]*\))", re.MULTILINE)
_SAME_NAME = re.compile(r"\b(\w+) as \1\b")


def lazy_exports(module: str, *, renamed: Mapping[str, str] | None = None) -> LazyHooks:
    """The names that the source of a module imports for type checkers, as `name as name`.

    Modules inside it can be used without an import of their own; they are not in `__all__`.
    `renamed` leads from old public names to new ones, in this module or inside it (`tables.Step`):
    an old one works for one version more, warns when it is used, and is not in `__all__`.
    """
    spec: Any = sys.modules[module].__spec__
    home_of = _imported_names(spec.loader.get_data(spec.origin).decode())
    renamed = renamed or {}

    def load(name: str) -> object:
        if name in renamed:
            return _load_renamed(module, name, renamed[name])
        if name not in home_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if home_of[name] == module:
            return import_module(f"{module}.{name}")
        value = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[module], name, value)
        return value

    public = sorted(name for name, home in home_of.items() if home != module)
    return load, lambda: public, public


def _imported_names(source: str) -> dict[str, str]:
    """Where each name comes from, which an import gives the same name again."""
    return {
        name: home for home, names in _IMPORT.findall(source) for name in _SAME_NAME.findall(names)
    }


def _load_renamed(module: str, old: str, new: str) -> object:
    """Load the object behind an old name; warn the caller of `module.old` every time."""
    message = f"{module}.{old} is now {module}.{new}; the old name goes in the next version"
    # 1: here, 2: __getattr__, 3: whoever used the name.
    warnings.warn(message, DeprecationWarning, stacklevel=3)
    return attrgetter(new)(sys.modules[module])


class LazyObject(NamedTuple, Generic[T_co]):
    """An object by its module and name, imported when it is first needed.

    Its type is that of the field it stands in. A test loads every one of the package, and `make
    lint` has a type checker hold each against its type (`tests/core/registered_classes.py`).
    """

    module: str
    name: str

    def load(self) -> T_co:
        """The object."""
        return cast(T_co, getattr(import_module(self.module), self.name))

    def stands_for(self, kind: type[object]) -> bool:
        """Whether it is this class; nothing is imported to find out."""
        return (kind.__module__, kind.__qualname__) == (self.module, self.name)


def load_object(home: str) -> Any:
    """The object that `package.module:name` names."""
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)
