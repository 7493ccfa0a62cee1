"""How data of a kind stands in files: a class for each layout, its fields what reading may be told.

    @dataclass(frozen=True, kw_only=True)
    class Ratings(Layout[RatingTable]):
        name: ClassVar[str] = "ratings"
        title: ClassVar[Text] = Text("user,film,stars", "利用者,映画,星")
        encoding: str = "auto"

        def read(self, path): ...

A line in the kind's registry `formats` makes it a `--format` of its commands and of `tk.read`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from tokumei.core.errors import UsageError
from tokumei.core.registry import Registry, build_params, field_names
from tokumei.core.text import Text

Source = TypeVar("Source")


class Layout(Generic[Source]):
    """Base of layouts."""

    name: ClassVar[str]
    title: ClassVar[Text]

    def read(self, path: str | os.PathLike[str]) -> Source:
        """The data in a file."""
        raise NotImplementedError

    def read_noted(self, path: str | os.PathLike[str]) -> tuple[Source, list[Text]]:
        """The data in a file, and what its reader should know of it."""
        return self.read(path), []


def layout_of(
    formats: Registry[Any], name: str, given: Mapping[str, Any], *, dashes: str = ""
) -> Any:
    """The layout of this name with the options given; one that it does not use is refused.

    `dashes` stand before the names of options where a command line is spoken of.
    """
    kind = formats.get(name)
    options = {key: value for key, value in given.items() if is_given(value)}
    for key in options:
        if key not in field_names(kind):
            raise UsageError(
                f"{dashes}format {name} does not use {dashes}{key}",
                f"{dashes}format {name} では {dashes}{key} を使いません",
            )
    return build_params(kind, options, where=f"{dashes}format {name}")


def is_given(value: Any) -> bool:
    """Whether the value of an option says something that its absence does not."""
    return value is not None and value != "auto" and value not in ((), [], {})
