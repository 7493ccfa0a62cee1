"""A new layout: one class and one line of the registry, and commands and Python know it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl
import pytest

import tokumei as tk
from tokumei.core.errors import UsageError
from tokumei.histories.data.history import History
from tokumei.histories.formats.layout import HistoryLayout
from tokumei.histories.registry import formats

TILL = "".join(f"2020-01-0{n % 9 + 1} c{n % 4} tea/{n % 3} 1.5 {n % 2 + 1}\n" for n in range(24))


@dataclass(frozen=True, kw_only=True)
class Till(HistoryLayout):
    """Lines of a till: day, customer, item/variant, price, quantity."""

    name: ClassVar[str] = "till"
    title: ClassVar[tk.Message] = tk.Message("till")

    variants: bool = False

    def read(self, path):
        rows = [line.split(" ") for line in Path(path).read_text().splitlines()]
        names = ("day", "customer", "item", "price", "quantity")
        frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
        if not self.variants:
            frame = frame.with_columns(pl.col("item").str.split("/").list.first())
        return History.of(frame, where=str(path))


@pytest.fixture
def till(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "_added", {})
    formats.add("till", Till)
    (tmp_path / "till.txt").write_text(TILL)
    return tmp_path / "till.txt"


def test_python_reads_it(till):
    assert tk.read_history(till, format="till").item_names.to_list() == ["tea"]
    assert len(tk.read_history(till, format="till", variants=True).item_names) == 3
    assert tk.read(till, format="till").rows == 24
    with pytest.raises(UsageError, match="format till does not use columns"):
        tk.read_history(till, format="till", columns={"day": "When"})


def test_commands_read_it_and_write_with_a_header(tokumei, till):
    command = ("anonymize", "history", "--format", "till", "--data", till, "--k", 2, "--seed", 1)
    done = tokumei(*command, "--public", "p.csv", "--json")
    assert (done.code, done.json["rows"]) == (0, 24)
    public = pl.read_csv("p.csv", infer_schema=False)
    assert public.columns == ["customer", "day", "item", "price", "quantity"]
    assert set(public["item"]) == {"tea"}
    done = tokumei(*command, "--variants", "--public", "q.csv")
    assert "tea/" in Path("q.csv").read_text()


def test_every_command_of_a_history_takes_its_options(tokumei, till):
    how = ("--format", "till", "--variants")
    made = ("--out", "all.csv", "--public", "p.csv", "--secret", "who.csv")
    assert not tokumei("anonymize", "history", *how, "--data", till, "--k", 2, *made).code
    original = (*how, "--original", till, "--release", "all.csv")
    attacked = tokumei("attack", *how, "--known", till, "--public", "p.csv", "--out", "guess.csv")
    measured = tokumei("measure", "utility", *original, "--method", "loss", "--json")
    without = [one for one in original if one != "--variants"]
    other = tokumei("measure", "utility", *without, "--method", "loss", "--json")
    assert other.code or measured.json["loss"] < other.json["loss"]
    done = [
        attacked,
        measured,
        tokumei("measure", "safety", *original, "--guess", "guess.csv"),
        tokumei("check", *original, "--k", 2),
        tokumei("check", *how, "--original", till, "--public", "p.csv", "--guess", "guess.csv"),
        tokumei(
            "sweep", *how, "--data", till, "--k", 2, "--effort", "normal", "--method", "aligned"
        ),
        tokumei("categories", *how, "--data", till, "--by", "prefix:3"),
        tokumei("unicity", *how, "--data", till, "--points", 1),
        tokumei("advise", till, *how, "--json"),
    ]
    assert [one.err for one in done if one.code] == []


@pytest.mark.parametrize("command", [("measure", "safety"), ("check",), ("categories",)])
def test_a_setting_that_nothing_uses_is_refused(tokumei, till, command):
    files = {
        "measure": ("--original", till, "--release", till, "--guess", till),
        "check": ("--original", till, "--release", till),
        "categories": ("--data", till),
    }[command[0]]
    done = tokumei(*command, "--format", "till", *files, "--set", "colour=red")
    assert (done.code, "--format till does not use --colour" in done.err) == (2, True)


def test_a_setting_may_be_one_of_the_commands_own_options(tokumei, till):
    Path("sales.csv").write_text("customer;day;item\na;2020-01-01;tea\nb;2020-01-01;tea\n")
    command = ("anonymize", "history", "--format", "table", "--data", "sales.csv", "--k", 2)
    done = tokumei(*command, "--public", "p.csv", "--set", "sep=;", "--json")
    assert (done.code, done.json["rows"]) == (0, 2)


@pytest.mark.parametrize(
    ("format", "option"),
    [
        ("till", ("--columns", "day=When")),
        ("till", ("--sep", ";")),
        ("till", ("--master", "M.csv")),
        ("pws2018", ("--keep", "non-product")),
        ("table", ("--keep", "non-product")),
        ("pws2017", ("--sep", ";")),
        ("pws2017", ("--engine", "local")),
    ],
)
def test_what_a_format_does_not_use_is_refused(tokumei, till, format, option):
    command = ("anonymize", "history", "--format", format, "--data", till, "--public", "p.csv")
    done = tokumei(*command, *option)
    assert done.code == 2
    needs = "--cluster needs --engine spark" if option[0] == "--master" else "does not use"
    assert needs in done.err
    japanese = tokumei(*command, *option, "--lang", "ja")
    assert ("使いません" in japanese.err) != (option[0] == "--master")
    assert not Path("p.csv").exists()


def test_a_sample_of_any_kind():
    assert tk.sample("tables", 50, seed=1).rows == 50
    assert tk.sample("histories", 200, seed=1, customers=10).rows == 200
    assert tk.sample("pseudonyms", 200, seed=1, customers=10).rows.rows == 200
