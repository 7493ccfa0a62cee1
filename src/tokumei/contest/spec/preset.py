"""Presets: what a contest's file need not say.

merged({"preset": "pws2017", "slug": "spring", …}, where="contest.yaml")

A key of the file wins over the preset's; mappings are merged key by key, lists are not. A format
without a preset is one by its name: all is the format's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import yaml

from tokumei.contest.spec.formats import contest_formats
from tokumei.core.errors import UnknownNameError
from tokumei.core.text import Text

KEY = "preset"
_FOLDER = files("tokumei.contest.spec").joinpath("presets")


def preset_names() -> list[str]:
    """All presets."""
    written = [one.name.removesuffix(".yaml") for one in _FOLDER.iterdir()]
    return sorted({*written, *contest_formats()})


def merged(plain: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """The file's plain data over that of the preset it names, if any."""
    own = {key: value for key, value in plain.items() if key != KEY}
    if KEY not in plain:
        return own
    both: dict[str, Any] = _over(preset(str(plain[KEY]), where=where), own)
    return both


def preset(name: str, *, where: str = "") -> dict[str, Any]:
    """A preset's plain data."""
    if name not in (names := preset_names()):
        raise UnknownNameError(Text("preset", "プリセット"), name, names, where=where)
    path = _FOLDER.joinpath(f"{name}.yaml")
    if not path.is_file():
        return {"format": name}
    found: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return found


def _over(lower: Any, upper: Any) -> Any:
    if not (isinstance(lower, Mapping) and isinstance(upper, Mapping)):
        return upper
    both = {**lower, **upper}
    return {
        key: _over(lower[key], value) if key in lower and key in upper else value
        for key, value in both.items()
    }
