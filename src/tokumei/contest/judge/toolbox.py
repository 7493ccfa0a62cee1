"""Measures, attacks and rules of one contest: the library's, and the organiser's own.

The organiser's Python file beside contest.yaml holds up to three mappings from names to classes:

    MEASURES = {"my-loss": MyLoss}       # score(case) -> Score, lower is better
    ATTACKS = {"my-attack": MyAttack}    # attack(…) -> a guess, as the format's attacks
    RULES = {"my-rule": MyRule}          # check(submission, *, source) -> list of faults

Classes are frozen dataclasses, as all methods of the library; the names are known to this contest
alone. The file is run wherever the contest is judged: trust it as you trust contest.yaml.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tokumei.contest.spec.formats import contest_format
from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.registry import Registry, build_params
from tokumei.core.text import Text
from tokumei.files.containers import sha256

Classes = Mapping[str, type[Any]]


@dataclass(frozen=True)
class Named:
    """Names of one kind: those of a registry and those of this contest."""

    registry: Registry[Any]
    own: Classes

    def names(self) -> list[str]:
        """All of them, the library's first."""
        return list(dict.fromkeys([*self.registry.names(), *self.own]))

    def get(self, name: str, *, where: str = "") -> type[Any]:
        """The class behind a name."""
        if name in self.own:
            return self.own[name]
        if name not in self.names():
            raise UnknownNameError(self.registry.what, name, self.names(), where=where)
        return self.registry.get(name)

    def build(self, name: str, params: Mapping[str, Any] | None, *, where: str) -> Any:
        """An object of the class behind a name, its parameters checked."""
        kind = self.get(name, where=where)
        return build_params(kind, dict(params or {}), where=f"{where}: {name}")


@dataclass(frozen=True)
class Toolbox:
    """What a contest may name."""

    measures: Named
    attackers: Named
    rules: Named


def toolbox_of(contest: ContestSpec, folder: Path) -> Toolbox:
    """The library's measures, attacks and rules for a format, and the organiser's own."""
    module = None if contest.extra is None else _loaded(folder / contest.extra)
    form = contest_format(contest.format)
    kind, judge = form.kind, form.judge
    own = {name: _own(module, name) for name in ("MEASURES", "ATTACKS", "RULES")}
    if not judge.takes_own_methods and (own["MEASURES"] or own["ATTACKS"]):
        raise UsageError(
            f"extra: the format '{form.name}' takes own rules, but no measures and attacks",
            f"extra: 形式 '{form.name}' で独自に加えられるのは規則だけです",
        )
    return Toolbox(
        Named(kind.measures, own["MEASURES"]),
        Named(kind.attackers, own["ATTACKS"]),
        Named(kind.rules, {**judge.rules, **own["RULES"]}),
    )


def _loaded(path: Path) -> ModuleType:
    # Dataclasses look their module up by name: every content has its own.
    name = f"tokumei_contest_extra_{sha256(path)[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        reason = Text(f"{path.name}: is not a Python file", f"{path.name}: Python ではありません")
        raise InputError(reason)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as err:
        del sys.modules[name]
        told = f"{type(err).__name__}: {err}"
        raise InputError(
            f"{path.name}: cannot be run: {told}", f"{path.name}: 実行できません: {told}"
        ) from err
    return module


def _own(module: ModuleType | None, kind: str) -> Classes:
    found = getattr(module, kind, {})
    if not isinstance(found, Mapping) or not all(map(_is_method, found.values())):
        raise UsageError(
            f"{kind} must map names to frozen dataclasses",
            f"{kind} は名前から frozen dataclass への対応でなければなりません",
        )
    return dict(found)


def _is_method(kind: Any) -> bool:
    return isinstance(kind, type) and is_dataclass(kind)
