"""Which formats a contest may have, and presets: what its file need not say.

    contest_format("table").judge.files          # ("original",)
    merged({"preset": "pws2017", "slug": "spring", …}, where="contest.yaml")

Formats are those that kinds of data bring judges for; a kind without a judge of its own can be
played with the basic one, in any of its formats. A key of the file wins over the preset's; mappings
are merged key by key, lists are not. A format without a preset is one by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from tokumei.core.errors import UnknownNameError
from tokumei.core.judging import FormatJudge
from tokumei.core.kind import Kind
from tokumei.core.lazy import LazyObject
from tokumei.core.text import Text
from tokumei.kinds import all_kinds

KEY = "preset"
_FOLDER = files("tokumei.contest.spec").joinpath("presets")


@dataclass(frozen=True)
class ContestFormat:
    """A format, the kind of data it belongs to, and its judge."""

    name: str
    kind: Kind
    judge_class: LazyObject[type[FormatJudge[Any, Any]]]

    @property
    def judge(self) -> type[FormatJudge[Any, Any]]:
        """The judge's class, imported when first needed."""
        return self.judge_class.load()


def contest_formats() -> dict[str, ContestFormat]:
    """All of them by name, sorted; of two kinds with one name, the first has it."""
    found: dict[str, ContestFormat] = {}
    for kind in all_kinds():
        for name, judge in kind.format_judges().items():
            found.setdefault(name, ContestFormat(name, kind, judge))
    return dict(sorted(found.items()))


def contest_format(name: str) -> ContestFormat:
    """The format of this name."""
    found = contest_formats()
    if name not in found:
        raise UnknownNameError(Text("format", "形式"), name, found)
    return found[name]


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
