"""What methods, attacks and measures are called: by their registered title, else by their name."""

from __future__ import annotations

from typing import Any

from tokumei.core.errors import UnknownNameError
from tokumei.core.registry import Registry
from tokumei.core.text import Text


def registered_title(registry: Registry[Any], name: str) -> Text:
    """The title of what has that name; the name itself for one that is not registered here."""
    try:
        title: Text = registry.get(name).title
    except UnknownNameError:
        return Text(name, name)
    return title
