"""What the bots' teams do: how each anonymizes and attacks.

data = made_release(history, TEAMS[0].releases[0], folder / "A.csv", seed=1)
guess = made_guess(folder / "M.csv", public, folder / "T25.csv", method="S6", seed=1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokumei.core.randomness import Randomness
from tokumei.files.atomic import write_all
from tokumei.flow import anonymize, save
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.months import Months
from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows, table_output
from tokumei.pseudonyms.registry import attackers as period_attackers

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class BotTeam:
    """A team: its name, its captain, its releases (the last is published), its attack."""

    name: str
    captain: str
    releases: tuple[Parameters, ...]
    attack: str
    careless: bool = False
    """Whether its first upload breaks rules."""


HIDDEN_DAYS = {"day": 15, "time": "constant"}
NOISE = {"price_noise": 0.1, "quantity_noise": 2}
TEAMS = (
    BotTeam("Monthly", "momo", ({"lifetime": 1}, {"lifetime": 1, "time": "hour"}), "S6"),
    BotTeam(
        "霞チーム",
        "kasumi",
        ({"lifetime": 1, **HIDDEN_DAYS}, {"lifetime": 1, **HIDDEN_DAYS, **NOISE}),
        "scoreboard",
    ),
    BotTeam(
        "Season",
        "haru",
        ({"lifetime": 3, **HIDDEN_DAYS}, {"lifetime": 3, "day_shift": 5, "time": "constant"}),
        "S4",
        careless=True,
    ),
    BotTeam(
        "Weeders",
        "kusa",
        ({"lifetime": 2, "delete": 0.2, "delete_first": "rare-items", **HIDDEN_DAYS},),
        "profile",
    ),
    BotTeam("One Name", "ichi", ({"lifetime": 12, **HIDDEN_DAYS, **NOISE},), "S5"),
)


def made_release(history: PeriodHistory, parameters: Parameters, path: Path, *, seed: int) -> bytes:
    """A(T) as a file."""
    release = anonymize(history, "pseudonyms", seed=seed, **parameters)
    save(release, aligned=path)
    return path.read_bytes()


def with_faults(release: bytes, history: PeriodHistory) -> bytes:
    """A(T) of somebody in a hurry: a customer's id, a wrong month, no number, an unknown item."""
    lines = [line.split(",") for line in release.decode("utf-8").splitlines()]
    kept = [line for line in lines if line[0] != "DEL"]
    kept[0][0] = str(history.master.customers[0])
    kept[1][2] = "2031/1/1"
    kept[2][3] = "25:00"
    kept[3][4] = "no such item"
    kept[4][5] = "free"
    kept[5][6] = "0"
    return "".join(",".join(line) + "\n" for line in lines).encode("utf-8")


def made_guess(
    master: Path, public: Path, known: Path, out: Path, *, months: Months, method: str, seed: int
) -> bytes:
    """The guess that an attack makes with some knowledge, as a file."""
    guess = period_attackers.build(method).attack(
        read_rows(public),
        read_rows(known),
        customers=read_master(master).customers,
        months=months,
        rng=Randomness(seed),
    )
    write_all([table_output(guess.table, out, secret=False)])
    return out.read_bytes()
