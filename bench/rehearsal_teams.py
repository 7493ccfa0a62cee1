"""Twenty-four bot teams of different skill for a contest's dress rehearsal.

    for plan in plans("table"): plan.name, plan.kind, plan.like
    game = game_of("table", folder)
    game.release(plan), game.guess(plan, public)

Honest ones use the library's methods; sloppy ones hide little; cheats rename rows, copy, send raw
data or lie about the link, and `like` names the honest (or raw) team that they must not beat.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl

import tokumei as tk
from tokumei.api.releases import anonymize, save
from tokumei.apps.contest.judge.contest_judge import load_judge_from_folder
from tokumei.core.randomness import Randomness
from tokumei.histories.formats.pws2018 import Pws2018
from tokumei.histories.registry import attackers as history_attackers
from tokumei.pseudonyms.judge import bots
from tokumei.tables.data.comparison import CROSS_DEFAULT

TEAMS = 24
Files = dict[str, bytes]


@dataclass(frozen=True)
class Plan:
    """What a team does."""

    name: str
    kind: str
    """honest | sloppy | cheat"""
    how: Any
    """What the game makes a release of."""
    like: str | None = None
    trick: str = ""
    attack: str = ""
    """An attack's name, `random`, or none."""
    floods: bool = False
    seed: int = field(default=1)


class Game(Protocol):
    """How releases and guesses of a format are made."""

    def release(self, plan: Plan) -> bytes: ...

    def guess(self, plan: Plan, public: bytes) -> Files: ...


def plans(preset: str, teams: int = TEAMS) -> list[Plan]:
    """The teams of a preset; with fewer than usual, of every kind some."""
    honest, attacks = HONEST[preset], ATTACKS[preset]
    good = [
        Plan(f"honest {n}", "honest", how, seed=n, attack=attacks[n % len(attacks)])
        for n, how in enumerate(honest)
    ]
    sloppy = [
        Plan("raw", "sloppy", None, attack="random"),
        Plan("in a hurry", "sloppy", honest[0], trick="faults", attack="random"),
    ]
    cheats = [
        Plan("raw renamed", "cheat", None, "raw", "rename", seed=2),
        Plan("copycat", "cheat", honest[1], "honest 1", "copy", attack="random", seed=1),
        Plan("renamer", "cheat", honest[2], "honest 2", "rename", seed=2),
        Plan("swapper", "cheat", honest[3], "honest 3", "swap", seed=3),
        Plan("flooder", "cheat", honest[0], "honest 0", "copy", floods=True, seed=0),
        Plan("gambler", "cheat", honest[1], "honest 1", "copy", attack="random", seed=1),
    ]
    if teams < TEAMS:
        cheats = [plan for plan in cheats if plan.trick != "copy" or plan.floods]
    few = max(4, teams - len(sloppy) - len(cheats))
    return [*good[:few], *sloppy, *cheats]


def game_of(preset: str, folder: Path) -> Game:
    """The game of a contest's folder."""
    games: dict[str, Any] = {"table": TableGame, "pws2017": PeriodGame, "pws2018": HistoryGame}
    game: Game = games[preset](folder)
    return game


NOISE = {"day": 15, "time": "constant", "price_noise": 0.1, "quantity_noise": 2}
MDAV = {"groups": "mdav", "k": 10}
OUTSIDE_CROSS = ("unify", {"columns": "outside the cross tables"})
HONEST: dict[str, list[Any]] = {
    "table": [
        *([("noise", {"scale": scale})] for scale in (0.5, 1.0, 2.0, 0.3)),
        [OUTSIDE_CROSS, ("microaggregate", {})],
        [("mondrian", {"k": 10}), ("microaggregate", {})],
        [OUTSIDE_CROSS, ("microaggregate", MDAV)],
        [OUTSIDE_CROSS, ("swap", {})],
        [OUTSIDE_CROSS, ("noise", {"scale": 1.0})],
        *([("mondrian", {"k": k}), ("noise", {"scale": 2.0})] for k in (5, 10)),
        [("mondrian", {"k": 10}), ("swap", {})],
        [("mondrian", {"k": 10}), ("microaggregate", MDAV)],
        [("mondrian", {"k": 5})],
        [("microaggregate", MDAV)],
        [("swap", {})],
    ],
    "pws2017": [
        *({"lifetime": months, **NOISE} for months in (1, 2, 3, 12)),
        *({"lifetime": months, "day": 15, "time": "constant"} for months in (1, 2, 3, 4, 6)),
        *({"lifetime": months, "time": "hour"} for months in (1, 2, 3)),
        *({"lifetime": 1, "delete": share, **NOISE} for share in (0.1, 0.2)),
        *({"lifetime": months} for months in (1, 6)),
    ],
    "pws2018": [
        *(("rank-match", {"k": k}) for k in (2, 3, 4, 5, 6, 8, 10, 12)),
        *(("aligned", {"k": k}) for k in (2, 3, 4, 5, 6, 8, 10, 12)),
    ],
}
ATTACKS: dict[str, Sequence[str]] = {
    "table": ("nearest", ""),
    "pws2017": ("S6", "S4", "", ""),
    "pws2018": ("best", "item-sets", "", ""),
}


@dataclass
class TableGame:
    """Tables: rows in X's order, or with a link."""

    folder: Path

    def __post_init__(self) -> None:
        form: Any = load_judge_from_folder(self.folder).format
        self.original = form.original

    def release(self, plan: Plan) -> bytes:
        frame = self._allocate_workspace(plan)
        chance = np.random.default_rng(plan.seed + 100)
        if plan.trick == "faults":
            return b"no,header\n1,2\n"
        if plan.trick == "rename":
            return frame[chance.permutation(frame.height)].write_csv().encode()
        if plan.trick == "swap":
            lie = np.arange(frame.height - frame.height % 2).reshape(-1, 2)[:, ::-1].ravel()
            return _with_link(frame.write_csv().encode(), [*lie, *range(len(lie), frame.height)])
        return frame.write_csv().encode()

    def _allocate_workspace(self, plan: Plan) -> pl.DataFrame:
        table = self.original
        for method, given in plan.how or ():
            if (method, given) == OUTSIDE_CROSS:
                given = {"columns": table.schema.qi[CROSS_DEFAULT:]}
            made = tk.anonymize(table, method, seed=plan.seed, keep_order=True, **given)
            table = made.public
        frame: pl.DataFrame = table.frame
        return frame

    def guess(self, plan: Plan, public: bytes) -> Files:
        seen = pl.read_csv(public, infer_schema=False)
        chance = np.random.default_rng(plan.seed)
        if plan.attack == "random":
            found = chance.permutation(self.original.rows)[: seen.height]
        else:
            found = self._nearest(seen)
        lines = [f"{row},{one}" for row, one in enumerate(found)]
        return {"guess.csv": ("\n".join(["released,original", *lines]) + "\n").encode()}

    def _nearest(self, seen: pl.DataFrame) -> np.ndarray:
        """By sensitive values, and by quasi-identifiers that are the same text."""
        schema = self.original.schema
        known = self.original.numbers(schema.sa)
        there = seen.select(
            pl.col(schema.sa).cast(pl.Float64, strict=False).fill_null(0)
        ).to_numpy()
        spread = known.std(axis=0)
        spread[spread == 0] = 1
        apart = (((there[:, None, :] - known[None, :, :]) / spread) ** 2).sum(axis=2)
        for name in schema.qi:
            mine = self.original.frame[name].cast(pl.String).to_numpy()
            apart += seen[name].to_numpy()[:, None] != mine[None, :]
        nearest: np.ndarray = apart.argmin(axis=1)
        return nearest


@dataclass
class PeriodGame:
    """Pseudonyms over time."""

    folder: Path

    def __post_init__(self) -> None:
        self.history = bots.read_source(self.folder)

    def release(self, plan: Plan) -> bytes:
        made = bots.made_release(self.history, plan.how or {"lifetime": 12}, seed=plan.seed)
        if plan.trick == "faults":
            return bots.with_faults(made, self.history)
        if plan.trick in ("rename", "swap"):
            return _renamed(made, plan)
        return made

    def guess(self, plan: Plan, public: bytes) -> Files:
        path = self.folder.parent / f"S-{plan.name}.csv"
        path.write_bytes(public)
        method = "S4" if plan.attack == "random" else plan.attack
        chance = np.random.default_rng(plan.seed)
        found = {}
        for name in ("F25.csv", "F50.csv", "F75.csv", "F100.csv"):
            text = bots.made_guess(self.folder, path, name=name, method=method, seed=plan.seed)
            found[name] = _shuffled_answers(text, chance) if plan.attack == "random" else text
        return found


def _renamed(release: bytes, plan: Plan) -> bytes:
    """Rows of a month change places, all cells but the month: the position no longer tells."""
    lines = [line.split(",") for line in release.decode().splitlines()]
    chance = np.random.default_rng(plan.seed + 100)
    months: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        if line[0] != "DEL":
            months.setdefault(line[2].rpartition("/")[0], []).append(place)
    out = list(lines)
    for places in months.values():
        order = chance.permutation(places) if plan.trick == "rename" else np.roll(places, 1)
        for place, other in zip(places, order, strict=True):
            out[place] = lines[other]
    return "".join(",".join(line) + "\n" for line in out).encode()


def _shuffled_answers(text: bytes, chance: np.random.Generator) -> bytes:
    """The same pseudonyms, of customers by lot."""
    lines = [line.partition(",") for line in text.decode().splitlines()]
    order = chance.permutation(len(lines))
    mixed = [lines[n][0] + "," + lines[other][2] for n, other in enumerate(order)]
    return ("\n".join(mixed) + "\n").encode()


@dataclass
class HistoryGame:
    """Generalized histories."""

    folder: Path

    def __post_init__(self) -> None:
        form: Any = load_judge_from_folder(self.folder).format
        self.history = form.history

    def release(self, plan: Plan) -> bytes:
        made = self._raw(plan) if plan.how is None else self._allocate_workspace(plan)
        if plan.trick == "faults":
            return made.rpartition(b"\n")[0][:-5] + b",x\n"
        if plan.trick in ("rename", "swap"):
            return _exchanged(made, plan)
        return made

    def _allocate_workspace(self, plan: Plan) -> bytes:
        method, given = plan.how
        path = self.folder.parent / f"A-{plan.name}.csv"
        release = anonymize(self.history, method, seed=plan.seed, format="pws2018", **given)
        save(release, aligned=path, format="pws2018")
        return path.read_bytes()

    def _raw(self, plan: Plan) -> bytes:
        """Every row as it is, under a new name for each customer."""
        lines = (self.folder / "T.csv").read_text(encoding="utf-8").splitlines()
        people = sorted({line.partition(",")[0] for line in lines})
        chance = np.random.default_rng(plan.seed)
        new = dict(zip(people, chance.permutation(10**6)[: len(people)], strict=True))
        cells = [line.partition(",") for line in lines]
        return "".join(f"{new[who] + 10**6},{rest}\n" for who, _, rest in cells).encode()

    def guess(self, plan: Plan, public: bytes) -> Files:
        path = self.folder.parent / f"S-{plan.name}.csv"
        path.write_bytes(public)
        rng = Randomness(plan.seed)
        name = "first" if plan.attack == "random" else plan.attack
        found = history_attackers.build(name).attack(
            Pws2018().read_public(path), self.history, rng=rng
        )
        answers = found.frame()
        if plan.attack == "random":
            answers = answers.with_columns(pl.col("cid").shuffle(plan.seed))
        return {"F.csv": answers.write_csv(include_header=False).encode()}


def _exchanged(release: bytes, plan: Plan) -> bytes:
    """Customers with as many rows have each other's released histories."""
    lines = [line.partition(",") for line in release.decode().splitlines()]
    places: dict[str, list[int]] = {}
    for place, (who, _, _) in enumerate(lines):
        places.setdefault(who, []).append(place)
    alike: dict[int, list[list[int]]] = {}
    for rows in places.values():
        alike.setdefault(len(rows), []).append(rows)
    out = ["".join(line) for line in lines]
    chance = np.random.default_rng(plan.seed)
    for group in alike.values():
        order = (
            chance.permutation(len(group))
            if plan.trick == "rename"
            else np.roll(range(len(group)), 1)
        )
        for mine, other in zip(group, order, strict=True):
            for place, source in zip(mine, group[other], strict=True):
                out[place] = "".join(lines[source])
    return ("\n".join(out) + "\n").encode()


def _with_link(release: bytes, link: Sequence[int]) -> bytes:
    lines = "".join(f"{row},{one}\n" for row, one in enumerate(link))
    return zipped({"A.csv": release, "link.csv": ("released,original\n" + lines).encode()})


def one_file(files: Files) -> tuple[str, bytes]:
    """A guess as the server keeps it: its name and bytes."""
    return next(iter(files.items())) if len(files) == 1 else ("guess.zip", zipped(files))


def zipped(files: Files) -> bytes:
    """Files in one zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()
