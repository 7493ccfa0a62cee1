"""The files of an audit as frames that fit each other: release, members, control, reference.

    case = AuditCase.of(release, members=m, control=c, reference=r, qi=["age"], sa=["illness"])

Names in messages are those of the files, or what the frames are for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import Fault, InputError, UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.audit.columns import read_columns
from tokumei.tables.audit.seen import Model, Seen
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.hierarchies.hierarchy import Hierarchy

MOST_PEOPLE = 60_000
"""People an attacker compares the release with."""
FEWEST = 30
"""Fewer members or controls tell nothing."""


@dataclass(frozen=True, eq=False)
class AuditCase:
    """Who was in the release, who was not, and who else is known to an attacker.

    `columns` are those that the release shares with the people; `known` those of them that the
    attacker knows of a target.
    """

    release: pl.DataFrame = field(repr=False)
    members: pl.DataFrame = field(repr=False)
    control: pl.DataFrame = field(repr=False)
    reference: pl.DataFrame | None = field(repr=False)
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    known: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    left_out: tuple[str, ...] = ()
    """Columns of the people that the release does not have."""

    @property
    def columns(self) -> list[str]:
        """The columns on both sides."""
        return [name for name in self.members.columns if name in self.release.columns]

    def seen(self, names: Sequence[str], drawn: Drawn, model: Model) -> Seen:
        """What an attacker sees who knows some columns."""
        people = drawn.people(self, names)
        columns = read_columns(names, self.release, self.members, people, dict(self.hierarchies))
        return Seen(
            tuple(columns),
            len(drawn.targets),
            len(drawn.reference),
            self.release.height,
            model,
            len(drawn.bystanders),
        )

    def of_members(self) -> AuditCase:
        """The same with the members themselves as release."""
        return replace(self, release=self.members, hierarchies={})


@dataclass(frozen=True, eq=False)
class Drawn:
    """Which people an audit asks about and whom it takes for known, in random order.

    Rows of members, then control; `reference` are rows of the reference. `bystanders` are members
    and controls beyond the targets: they compete, too.
    """

    targets: np.ndarray
    reference: np.ndarray
    bystanders: np.ndarray
    member: np.ndarray

    @classmethod
    def of(cls, case: AuditCase, most: int, *, rng: Randomness) -> Drawn:
        """At most so many of each; as many bystanders as there is room for."""
        m, c = case.members.height, case.control.height
        chosen, rest = [], []
        for side, start, count in (("members", 0, m), ("control", m, c)):
            order = rng.child(side).generator.permutation(count) + start
            chosen.append(order[:most])
            rest.append(order[most:])
        targets = rng.child("order").generator.permutation(np.concatenate(chosen))
        height = 0 if case.reference is None else case.reference.height
        reference = rng.child("reference").generator.permutation(height)[: 2 * most]
        others = rng.child("rest").generator.permutation(np.concatenate(rest))
        room = max(0, MOST_PEOPLE - len(targets) - len(reference))
        return cls(targets, reference, others[:room], targets < m)

    def people(self, case: AuditCase, names: Sequence[str]) -> pl.DataFrame:
        """The columns of all known people: targets, reference, bystanders."""
        both = pl.concat([case.members.select(names), case.control.select(names)])
        parts = [both[self.targets]]
        if case.reference is not None:
            parts.append(case.reference.select(names)[self.reference])
        return pl.concat([*parts, both[self.bystanders]])


def matched_frames(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Members, control and reference with the same columns of the same types, or an error.

    `frames` by the name that messages give them; the first are the members.
    """
    first, *others = frames
    names = frames[first].columns
    faults = []
    for other in others:
        for name in names:
            if name not in frames[other].columns:
                faults.append(_fault(name, Text(f"{other} lacks it", f"{other} にありません")))
    if faults:
        raise _unlike(faults)
    kept = {key: frame.select(names) for key, frame in frames.items()}
    for name in names:
        kinds = {key: _kind(frame[name]) for key, frame in kept.items()}
        told = {kind for kind in kinds.values() if kind != "empty"}
        if len(told) > 1:
            listed = ", ".join(f"{key}: {kind}" for key, kind in kinds.items())
            faults.append(
                _fault(name, Text(f"types differ ({listed})", f"型が異なります ({listed})"))
            )
            continue
        # Days stay days: as moments they would be spelled unlike the leaves of a hierarchy.
        days = all(frame[name].dtype in (pl.Date, pl.Null) for frame in kept.values())
        times = pl.Date() if days else pl.Datetime("us")
        wanted = {"number": pl.Float64(), "time": times}.get(next(iter(told), ""))
        for key, frame in kept.items():
            kept[key] = frame.with_columns(_as(frame[name], wanted))
    if faults:
        raise _unlike(faults)
    return kept


def require_enough(members: pl.DataFrame, control: pl.DataFrame) -> None:
    """Fail unless both sides have people enough to say anything."""
    for frame, en, ja in ((members, "members", "メンバー"), (control, "controls", "対照")):
        if frame.height < FEWEST:
            raise InputError(
                f"{frame.height} {en}: at least {FEWEST} are needed to say anything",
                f"{ja}が {frame.height} 人です。少なくとも {FEWEST} 人必要です",
            )


def same_people(frames: Mapping[str, pl.DataFrame], person: str) -> None:
    """Fail if a person, by the column that names people, stands in two files."""
    for frame, where in ((frame, key) for key, frame in frames.items()):
        if person not in frame.columns:
            raise UnknownNameError(COLUMN, person, frame.columns, where=where)
    keys = list(frames)
    for i, one in enumerate(keys):
        for other in keys[i + 1 :]:
            ids = frames[one][person].cast(pl.String).drop_nulls()
            both = ids.is_in(frames[other][person].cast(pl.String).drop_nulls().implode())
            if both.any():
                count = int(both.sum())
                line = int(np.flatnonzero(both.to_numpy())[0]) + 2
                raise InputError(
                    f"{one}, line {line}, column '{person}': {count:,} people are in {other}, too",
                    f"{one} {line} 行目、列 '{person}': {count:,} 人が {other} にも含まれています",
                )


def chosen_columns(
    case_columns: Sequence[str], given: Sequence[str] | None, what: str
) -> list[str]:
    """The columns given, which must be there; all if none is."""
    for name in given or ():
        if name not in case_columns:
            raise UnknownNameError(COLUMN, name, list(case_columns), where=what)
    chosen = list(dict.fromkeys(given)) if given is not None else list(case_columns)
    if not chosen:
        raise UsageError(
            "release and people share no column", "公開データと人のデータに共通の列がありません"
        )
    return chosen


def _kind(series: pl.Series) -> str:
    if series.null_count() == len(series):
        return "empty"
    if series.dtype.is_numeric():
        return "number"
    return "time" if series.dtype in (pl.Date, pl.Datetime) else "text"


def _as(series: pl.Series, wanted: Any) -> pl.Series:
    """Whole numbers stay whole: only what must be is made alike."""
    if wanted is None:
        return series.cast(pl.String)
    if wanted == pl.Float64 or series.dtype == pl.Null:
        return series.cast(pl.Float64)
    return series.cast(wanted)


def _fault(name: str, message: Text) -> Fault:
    return Fault(
        rule="columns",
        column=name,
        message=Text(f"column '{name}': {message.en}", f"列 '{name}': {message.ja}"),
    )


def _unlike(faults: list[Fault]) -> InputError:
    return InputError(
        "members, control and reference do not have the same columns",
        "メンバー・対照・参照の列が揃っていません",
        faults=faults,
    )
