"""Makes the files that an example names: generated, or released from generated ones."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import polars as pl

from golden.transcript import Transcript
from tokumei.price import sample_prices

ROWS = 240
CELLS: Mapping[str, Callable[[int], object]] = {
    "id": lambda i: f"P-{i:04d}",
    "age": lambda i: 20 + i * 7 % 50,
    "sex": lambda i: ("男性", "女性")[i * 5 % 7 % 2],
    "zip": lambda i: f"{100 + i * 3 % 8}-{1000 + i % 9:04d}",
    "height": lambda i: 150 + i * 11 % 40,
    "region": lambda i: "ABCD"[i * 3 % 11 % 4],
    "occupation": lambda i: ("clerk", "cook")[i * 5 % 7 % 2] if i % 8 else "nurse",
    "income": lambda i: 2000 + i * 37 % 4000,
    "rent": lambda i: 300 + i * 53 % 700,
    "illness": lambda i: ("flu", "cold", "asthma")[i * 5 % 13 % 3],
    "item": lambda i: f"item {i % 6}",
}
"""The cell of a row in each column that examples name."""
SENSITIVE = ("income", "rent", "illness", "region")
TABLES = ("x.csv", "people.csv", "gone.csv", "bought.csv")
RULES = "magazine: {sex: 男性}\nclothes: {height: {min: 165, max: 171}}\n"
OUTPUTS = {"--out", "--key-file", "--home"}
"""Options whose files are written."""
MAKING = {"anonymize", "publish", "sample", "rules"}
MADE = {"--public", "--secret", "--items", "--prices"}
"""Options whose files these commands write, and others read."""
RELEASE = "anonymize table --data x.csv {roles} --method mondrian --k 5 --seed {seed} --out {out}"
LEDGER = "ledger init ledger --key-file ledger.key"
PRICES = "sample prices --rows 600 --seed {0} --out people.csv --prices {1}"
HISTORY = "sample history --rows 1500 --customers 40 --seed 1 --out T.csv --items items.csv"
HISTORY_RELEASE = (
    "anonymize history --data T.csv --format pws2018 --method rank-match --k 3 --seed 1 --out A.csv"
    " --public {0} --secret {1}"
)
PERIODS = (
    "sample history --format pws2017 --rows 1500 --customers 30 --seed 1 --out T.csv --master M.csv"
)
PERIOD_RELEASE = (
    "anonymize history --format pws2017 --data T.csv --master M.csv --lifetime 1 --day 15 --seed 1 "
    "--out AT.csv --public S.csv --secret F.csv"
)
CONTEST_RELEASE = (
    "anonymize history --data spring/T.csv --master spring/M.csv --format pws2017 --lifetime 1 "
    "--seed 1 --out A.csv --public S.csv --secret F.csv"
)
MAKERS: Mapping[str, Mapping[str, str]] = {
    "tables": {
        "customers.csv": "sample table --messy en --rows 120 --seed 1 --out customers.csv",
        "y.csv": f"{RELEASE} --secret link.csv".format(roles="{roles}", seed=1, out="y.csv"),
        "y2.csv": f"{RELEASE} --secret link2.csv".format(roles="{roles}", seed=2, out="y2.csv"),
        "split/members.csv": "audit split --data x.csv --control 0.3 --seed 1 --out split",
        "age.csv": "hierarchy build --data x.csv --column age --width 5,10,20 --out age.csv",
        "ledger": LEDGER,
    },
    "ledgers": {
        "y2.csv": f"{RELEASE} --secret link2.csv".format(roles="{roles}", seed=2, out="y2.csv"),
        "ledger": f"{LEDGER} && {RELEASE} --secret link.csv --ledger ledger --recipient A".format(
            roles="{roles}", seed=1, out="y.csv"
        ),
    },
    "prices": {
        "people.csv": PRICES.format(1, "prices.csv"),
        "prices.csv": PRICES.format(1, "prices.csv"),
        "p1.csv": PRICES.format(1, "p1.csv"),
        "p2.csv": PRICES.format(2, "p2.csv"),
        "y.csv": "price optimize --data people.csv --patterns prices.csv --k 5 --out y.csv",
    },
    "histories": {
        "T.csv": HISTORY,
        "A.csv": HISTORY_RELEASE.format("A1.csv", "F.csv"),
        "A1.csv": HISTORY_RELEASE.format("A1.csv", "F.csv"),
        "public.csv": HISTORY_RELEASE.format("public.csv", "people.csv"),
        "F1.csv": "attack --format pws2018 --known T.csv --public A1.csv --seed 1 --out F1.csv",
        "ledger": LEDGER,
    },
    "sales": {
        "public.csv": "anonymize history --format table --data sales.csv --method rank-match --k 3 "
        "--seed 1 --public public.csv --secret people.csv",
    },
    "pseudonyms": {
        "T.csv": PERIODS,
        "AT.csv": PERIOD_RELEASE,
        "S.csv": PERIOD_RELEASE,
        "F.csv": PERIOD_RELEASE,
        "T25.csv": "knowledge --data T.csv --alpha 0.25 --prefix item=2 --seed 1 --out T25.csv",
        "Fh.csv": "attack --format pws2017 --master M.csv --known T25.csv --public S.csv "
        "--method S6 --out Fh.csv",
    },
    "contests": {
        "original=T.csv": PERIODS,
        "spring": "contest init spring --preset pws2017 --rows 900 --customers 20",
        "A.csv": CONTEST_RELEASE,
        "S.csv": CONTEST_RELEASE,
    },
}
"""What makes a file, by the kind of data that an example is about."""


def make_files(example: str, transcript: Transcript) -> None:
    """Make what the example reads; what has no maker is missing, and the example says so."""
    words = shlex.split(example)
    family = _tell_family(example)
    for table in TABLES if family in ("tables", "ledgers") else ():
        if table in words or {"y.csv", "ledger"} & {*words}:
            _write_table(table, words)
    for name, write in WRITERS.items():
        if name in words:
            write(Path(name))
    _make_missing(words, MAKERS[family], _write_roles(words), transcript)


def _make_missing(
    words: list[str], makers: Mapping[str, str], roles: str, transcript: Transcript
) -> None:
    for name in _list_read(words):
        if name in makers and not Path(name).exists():
            for text in makers[name].format(roles=roles).split(" && "):
                command = shlex.split(text)
                _make_missing(command, makers, roles, transcript)
                assert transcript.run_command(command) == 0, transcript.lines


def _list_read(words: list[str]) -> list[str]:
    """The files that a command line reads."""
    written = OUTPUTS | (MADE if words[0] in MAKING else set())
    written |= {"--master"} if words[0] == "sample" else set()
    if words[:2] in (["ledger", "init"], ["contest", "init"]):
        return []
    return [
        name
        for before, word in zip(["", *words], words, strict=False)
        if before not in written
        for name in (word, word.split("/")[0])
    ]


def _tell_family(example: str) -> str:
    if example.startswith(("price", "sample prices")):
        return "prices"
    if example.startswith("contest"):
        return "contests"
    if "pws2017" in example or example.startswith(("lifetime", "knowledge")):
        return "pseudonyms"
    if "sales.csv" in example:
        return "sales"
    if example.startswith("ledger ") and not example.startswith(("ledger init", "ledger add")):
        return "ledgers"
    if "pws2018" in example or "history" in example:
        return "histories"
    return "tables"


def _write_roles(words: list[str]) -> str:
    named = _list_columns([*words, "id", "income"] if words[0] == "ledger" else words)
    sensitive = [name for name in SENSITIVE if name in named]
    return f"--qi age,sex --sa {','.join(sensitive)}{' --id id' * ('id' in named)}"


def _list_columns(words: list[str]) -> list[str]:
    """The columns that an example names; age, sex and income where it needs them."""
    named = {part for word in words for part in word.replace("=", ",").split(",")} & {*CELLS}
    if not named & {"age", "sex"}:
        named |= {"age", "sex"}
    if "y.csv" in words and not named & {*SENSITIVE}:
        named |= {"income"}
    return [name for name in CELLS if name in named]


def _draw_rows(columns: Iterable[str]) -> pl.DataFrame:
    return pl.DataFrame({name: [CELLS[name](i) for i in range(ROWS)] for name in columns})


def _write_table(name: str, words: list[str]) -> None:
    named = [*words, "id", "income"] if words[0] == "ledger" else words
    _draw_rows(_list_columns(named)).write_csv(name)


def _write_purchases(path: Path) -> None:
    rows = {"customer": [f"C{i * 7 % 40}" for i in range(ROWS)],
            "day": [f"2024-03-{1 + i * 11 % 28:02d}" for i in range(ROWS)],
            "item": [f"A{i * 5 % 12}" for i in range(ROWS)]}  # fmt: skip
    pl.DataFrame(rows).write_csv(path)


def _write_price_days(folder: Path) -> None:
    folder.mkdir()
    for day in (1, 2):
        sample_prices(1, seed=day)[1].write_csv(folder / f"prices_2026-11-0{day}.csv")


WRITERS: Mapping[str, Callable[[Path], object]] = {
    "rules.yaml": lambda path: path.write_text(RULES, encoding="utf-8"),
    "prices/": _write_price_days,
    "sales.csv": _write_purchases,
    "顧客台帳.xlsx": lambda path: _draw_rows(["id", "age", "sex", "income"]).write_excel(
        path, worksheet="名簿"
    ),
}
"""What is written here."""
