"""Bots that play contests of pseudonyms over time.

data = made_release(history, TEAMS[0].releases[0], seed=1)
guess = made_guess(folder, public, name="F25.csv", method="S6", seed=1)
"""

from __future__ import annotations

from pathlib import Path

from tokumei.core.format_judge import BotTeam, MethodParameters
from tokumei.files.contest_files import to_contest_bytes
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.formats.pws2017 import Pws2017
from tokumei.pseudonyms.registry import anonymizers
from tokumei.pseudonyms.services.anonymize import anonymize_periods, read_periods
from tokumei.pseudonyms.services.attack import attack_periods
from tokumei.pseudonyms.services.requests import (
    AnonymizePeriodsRequest,
    AttackPeriodsRequest,
    PeriodSource,
)

HIDDEN_TIME_PARAMS = {"day": 15, "time": "constant"}
NOISE_PARAMS = {"price_noise": 0.1, "quantity_noise": 2}
TEAMS = (
    BotTeam("Monthly", "momo", ({"lifetime": 1}, {"lifetime": 1, "time": "hour"}), "S6"),
    BotTeam(
        "霞チーム",
        "kasumi",
        (
            {"lifetime": 1, **HIDDEN_TIME_PARAMS},
            {"lifetime": 1, **HIDDEN_TIME_PARAMS, **NOISE_PARAMS},
        ),
        "scoreboard",
    ),
    BotTeam(
        "Season",
        "haru",
        (
            {"lifetime": 3, **HIDDEN_TIME_PARAMS},
            {"lifetime": 3, "day_shift": 5, "time": "constant"},
        ),
        "S4",
        careless=True,
    ),
    BotTeam(
        "Weeders",
        "kusa",
        ({"lifetime": 2, "delete": 0.2, "delete_first": "rare-items", **HIDDEN_TIME_PARAMS},),
        "profile",
    ),
    BotTeam("One Name", "ichi", ({"lifetime": 12, **HIDDEN_TIME_PARAMS, **NOISE_PARAMS},), "S5"),
)


def read_source(folder: Path) -> PeriodHistory:
    """T with its customers."""
    layout = Pws2017(master=str(folder / "M.csv"))
    return read_periods(PeriodSource(data=folder / "T.csv", layout=layout))


def made_release(history: PeriodHistory, parameters: MethodParameters, *, seed: int) -> bytes:
    """A(T) as a file."""
    method = anonymizers.build("pseudonyms", parameters)
    request = AnonymizePeriodsRequest(source=PeriodSource(data=history), method=method, seed=seed)
    return to_contest_bytes(anonymize_periods(request).rows.cells)


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


def made_guess(folder: Path, public: Path, *, name: str, method: str, seed: int) -> bytes:
    """One table for each knowledge file: F25.csv for T25.csv."""
    source = read_source(folder)
    request = AttackPeriodsRequest(
        public=public,
        known=folder / f"T{name.removeprefix('F')}",
        master=source.master,
        months=source.months,
        methods=(method,),
        seed=seed,
    )
    return to_contest_bytes(attack_periods(request).guesses[method].table.cells())
