"""Formats that a contest may have, and presets with default settings.

    find_contest_format("table").judge.files      # ("original",)
    merge_preset({"preset": "pws2017", "slug": "spring", …}, where="contest.yaml")

Formats are those that kinds of data bring judges for; a kind without a judge of its own can be
played with the basic one, in any of its formats. A key of the file wins over the preset's; mappings
are merged key by key, lists are not. A format without a preset is one by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeAlias

import yaml

from tokumei.core.data_kind import DataKind
from tokumei.core.errors import UnknownNameError
from tokumei.core.format_judge import FormatJudge
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.kinds import all_kinds

PRESET_KEY = "preset"
_PRESETS_FOLDER = files("tokumei.apps.contest.spec").joinpath("presets")


PlainSettings: TypeAlias = dict[str, Any]
"""Settings as YAML holds them, which whatever they are for checks itself."""
AnyJudge: TypeAlias = FormatJudge[Any, Any]
"""A judge, whatever a release and a guess are in its format."""


@dataclass(frozen=True)
class ContestFormat:
    """A format, the kind of data it belongs to, and its judge."""

    name: str
    kind: DataKind
    judge_class: LazyObject[type[AnyJudge]]

    @property
    def judge(self) -> type[AnyJudge]:
        """The judge's class, imported when first needed."""
        return self.judge_class.load()


def contest_formats() -> dict[str, ContestFormat]:
    """All of them by name, sorted; of two kinds with one name, the first has it."""
    formats: dict[str, ContestFormat] = {}
    for kind in all_kinds():
        for name, judge in kind.format_judges().items():
            formats.setdefault(name, ContestFormat(name, kind, judge))
    return dict(sorted(formats.items()))


def find_contest_format(name: str) -> ContestFormat:
    """The format of this name."""
    formats = contest_formats()
    if name not in formats:
        raise UnknownNameError(Message("format"), name, formats)
    return formats[name]


def preset_names() -> list[str]:
    """All presets."""
    file_presets = [file.name.removesuffix(".yaml") for file in _PRESETS_FOLDER.iterdir()]
    return sorted({*file_presets, *contest_formats()})


def merge_preset(plain: Mapping[str, object], *, where: str) -> PlainSettings:
    """The file's plain data over that of the preset it names, if any."""
    own = {key: value for key, value in plain.items() if key != PRESET_KEY}
    if PRESET_KEY not in plain:
        return own
    return _merge_mappings(load_preset(str(plain[PRESET_KEY]), where=where), own)


def load_preset(name: str, *, where: str = "") -> PlainSettings:
    """A preset's plain data."""
    if name not in (names := preset_names()):
        raise UnknownNameError(Message("preset"), name, names, where=where)
    path = _PRESETS_FOLDER.joinpath(f"{name}.yaml")
    if not path.is_file():
        return {"format": name}
    values: PlainSettings = yaml.safe_load(path.read_text("utf-8"))
    return values


def _merge_mappings(lower: Mapping[str, object], upper: Mapping[str, object]) -> PlainSettings:
    """Both; what both have is the upper's, mappings are merged again."""
    merged = {**lower, **upper}
    for key in lower.keys() & upper.keys():
        below, above = lower[key], upper[key]
        if isinstance(below, Mapping) and isinstance(above, Mapping):
            merged[key] = _merge_mappings(below, above)
    return merged
