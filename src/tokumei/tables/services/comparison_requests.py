"""Requests of the services that hold a release against its original: typed, frozen, complete.

request = ComparisonRequest(original="people.csv", release="public.csv", link="link.csv")
rates = attack_table(AttackTableRequest(comparison=request, expected=True)).rates
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np

    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

    Original = str | Path | Table | ArrowFrame
    Released = str | Path | Table | Release | ArrowFrame
    HierarchyFiles = str | Mapping[str, Hierarchy | str] | None

Params = Mapping[str, Mapping[str, object]]
"""Parameters of attacks or measures, by their names."""
EVERYTHING = "everything"
"""The attack that uses every public column."""


def is_path(data: object) -> bool:
    """Whether data is named by the path of its file."""
    return isinstance(data, str | Path)


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest:
    """An original and a release of it; each may be a file, a frame or a Table.

    `link` says which original row every released row comes from: a file or an array. Roles,
    people, hierarchies and link that are not given are those of the release: of its manifest, or
    of a Release. `person` is the column that people are counted by; "none": every row is another
    person.
    """

    original: Original
    release: Released
    link: str | Path | np.ndarray | None = None
    qi: tuple[str, ...] | None = None
    sa: tuple[str, ...] | None = None
    kind: Mapping[str, str] = field(default_factory=dict)
    cross: tuple[str, ...] = ()
    hierarchies: HierarchyFiles = None
    person: str | None = None
    sep: str | None = None
    encoding: str = "auto"


@dataclass(frozen=True, kw_only=True)
class AttackTableRequest:
    """Attacks on a release: all of them unless some are named.

    `known`: also somebody who knows only these columns. `expected` gives exact rates instead of
    one draw; `as_is` keeps the order of the released rows.
    """

    comparison: ComparisonRequest
    methods: tuple[str, ...] = ()
    params: Params = field(default_factory=dict)
    known: tuple[str, ...] | None = None
    as_is: bool = False
    expected: bool = False
    seed: int | None = None
    stream: tuple[str | int, ...] = ()
    """Names the part of an experiment that draws apart from its others with the same seed."""


@dataclass(frozen=True, kw_only=True)
class MeasureTableRequest:
    """Measures of a release: the default ones unless some are named."""

    comparison: ComparisonRequest
    methods: tuple[str, ...] = ()
    params: Params = field(default_factory=dict)
    engine: Literal["local", "spark"] = "local"
    cluster: str | None = None


@dataclass(frozen=True, kw_only=True)
class AttackCurveRequest:
    """Attacks with the first 1, 2, … quasi-identifiers or sensitive columns, or parts of rows."""

    comparison: ComparisonRequest
    by: Literal["qi", "sa", "rows"] = "qi"
    methods: tuple[str, ...] = ("EUC1", "EUC2")
    params: Params = field(default_factory=dict)
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class DiagnoseTableRequest:
    """Which methods made a release; `paper`: by the fixed limits of the paper's Table 13."""

    comparison: ComparisonRequest
    harm: float = 0.05
    times: float = 3.0
    paper: bool = False
    seed: int | None = None
