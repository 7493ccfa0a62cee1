"""Imports what is needed late: the names of a module, and single objects.

    LazyObject("tokumei.tables.recipe", "TableRecipe").load()

    if TYPE_CHECKING:
        from tokumei.flow import anonymize as anonymize
    else:
        __getattr__, __dir__, __all__ = lazy(__name__)

Type checkers read the first branch; Python takes the second, which finds the names in the first.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar, cast

T_co = TypeVar("T_co", covariant=True)

Lazy = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]
"""What a module calls `__getattr__`, `__dir__` and `__all__`."""
_NAMED = re.compile(r"^    from (\S+) import (\w+) as \2$", re.MULTILINE)


def lazy(module: str) -> Lazy:
    """The names that the source of a module imports for type checkers, each on a line of its own.

    Modules inside it can be used without an import of their own; they are not in `__all__`.
    """
    spec: Any = sys.modules[module].__spec__
    source = spec.loader.get_data(spec.origin).decode()
    home_of = {name: home for home, name in _NAMED.findall(source)}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if home_of[name] == module:
            return import_module(f"{module}.{name}")
        found = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[module], name, found)
        return found

    public = sorted(name for name, home in home_of.items() if home != module)
    return load, lambda: public, public


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

    def stands_for(self, kind: type[Any]) -> bool:
        """Whether it is this class; nothing is imported to find out."""
        return (kind.__module__, kind.__qualname__) == (self.module, self.name)


def load(home: str) -> Any:
    """What `package.module:name` names."""
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)
