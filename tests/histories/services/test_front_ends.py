"""The same history, request and seed give the same release by every front end."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tokumei as tk
from histories.services.front_ends_helpers import CUSTOMERS, ROWS, purchases
from tokumei.api.advisers import adviser as make_adviser
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.home import StudioHome
from tokumei.core.advice.purpose import Purpose
from tokumei.core.recipe import derive_seed
from tokumei.files.key_files import read_key

SEED = 7


DERIVED = derive_seed(SEED, "release", 0)
"""The seed of the first release of a recipe with SEED."""


def days_as(form: str) -> pl.Expr:
    return pl.col("day").str.to_date().dt.strftime(form)


def contest() -> pl.DataFrame:
    return purchases().with_columns(days_as("%Y/%-m/%-d"))


def named() -> pl.DataFrame:
    names = {
        "customer": "会員",
        "day": "購入日",
        "item": "品番",
        "price": "単価",
        "quantity": "個数",
    }
    return purchases().rename(names)


def messy() -> pl.DataFrame:
    """As people write it: eras, currency signs, thousands, full-width digits, units."""
    rows = named()
    months = rows["購入日"].str.to_date().dt.strftime("%-m月%-d日")
    return rows.with_columns(
        pl.Series("購入日", [f"令和6年{day}" for day in months]),
        pl.Series("単価", [f"￥1,{round(price):03d}" for price in rows["単価"]]),
        pl.Series("個数", [f"{chr(0xFF10 + pieces)}個" for pieces in rows["個数"]]),
    )


def british() -> pl.DataFrame:
    """Days that no cell decides: is 3/4 in March or in April?"""
    return purchases().with_columns(
        pl.Series("day", [f"{1 + n % 9}/{1 + n % 3}/2024" for n in range(ROWS)])
    )


def further() -> pl.DataFrame:
    return purchases().drop("quantity").with_columns(Tax=pl.col("price") / 10, Store=pl.lit("北"))


def retail() -> pl.DataFrame:
    rows = purchases()
    return pl.DataFrame(
        {
            "InvoiceNo": [f"5{n // 3:05d}" for n in range(ROWS)],
            "StockCode": [
                f"20{item}A" if n % 20 else "POST" for n, item in enumerate(rows["item"])
            ],
            "Description": "A THING",
            "Quantity": rows["quantity"],
            "InvoiceDate": rows["day"].str.to_date().dt.strftime("%-m/%-d/%Y 8:26"),
            "UnitPrice": rows["price"],
            "CustomerID": [17000 + n % CUSTOMERS for n in range(ROWS)],
            "Country": "Norway",
        }
    )


@dataclass(frozen=True)
class Case:
    """A file, how it is read, and what is done to it."""

    frame: pl.DataFrame
    format: str
    method: Mapping[str, Any]
    reading: Mapping[str, Any] = field(default_factory=dict)
    categories: str | None = None
    encoding: str = "utf-8"
    sep: str = ","
    name: str = "T.csv"

    def write(self) -> None:
        if self.name.endswith(".parquet"):
            self.frame.write_parquet(self.name)
            return
        stream = io.StringIO()
        header = self.format != "pws2018"
        self.frame.write_csv(stream, include_header=header, separator=self.sep)
        Path(self.name).write_bytes(stream.getvalue().encode(self.encoding))

    def read_options(self) -> list[str]:
        options = ["--format", self.format]
        for key, value in self.reading.items():
            text = ",".join(f"{a}={b}" for a, b in value.items()) if key == "columns" else value
            given = text if isinstance(text, str) else ",".join(text)
            options += [f"--{key.replace('_', '-')}", given]
        return options

    def method_options(self) -> list[str]:
        pairs = [(f"--{key}", str(value)) for key, value in self.method.items()]
        return [part for pair in pairs for part in pair]


NAMED = {
    "columns": {
        "customer": "会員",
        "day": "購入日",
        "item": "品番",
        "price": "単価",
        "quantity": "個数",
    }
}


RANKED = {"method": "rank-match", "k": 3}


ALIGNED = {"method": "aligned", "k": 3}


CASES = {
    "contest, ranked": Case(contest(), "pws2018", RANKED),
    "contest, aligned": Case(contest(), "pws2018", ALIGNED),
    "contest, effort": Case(contest(), "pws2018", {**ALIGNED, "k": 4, "effort": "high"}),
    "contest, categories": Case(contest(), "pws2018", RANKED, categories="prefix:1"),
    "contest, Parquet": Case(contest(), "pws2018", RANKED, name="T.parquet"),
    "table": Case(purchases(), "table", RANKED),
    "table, Parquet": Case(purchases(), "table", ALIGNED, name="T.parquet"),
    "table, names": Case(named(), "table", ALIGNED, NAMED),
    "table, categories": Case(purchases(), "table", ALIGNED, categories="prefix:2"),
    "table, messy": Case(messy(), "table", RANKED, NAMED, encoding="cp932", sep=";"),
    "table, messy, aligned": Case(messy(), "table", ALIGNED, NAMED, sep="\t"),
    "table, days": Case(british(), "table", RANKED, {"date_order": "dmy"}),
    "table, values": Case(
        further(), "table", RANKED, {"columns": {"value1": "Tax", "value2": "Store"}}
    ),
    "shop": Case(retail(), "online-retail", RANKED),
    "shop, kept": Case(retail(), "online-retail", ALIGNED, {"keep": ["non-product"]}),
    "shop, contest's rules": Case(retail(), "online-retail", RANKED, {"cleaning": "pwscup"}),
}


def files(public: str, secret: str) -> dict[str, bytes]:
    """What was written, by its part; the manifest without what names the run."""
    return {
        "public": Path(public).read_bytes(),
        "manifest": Path(f"{public}.manifest.json").read_bytes(),
        "secret": Path(secret).read_bytes(),
        "provenance": Path(f"{secret}.provenance.json").read_bytes(),
    }


def by_command_line(tokumei, case: Case) -> dict[str, bytes]:
    extra = ["--categories", case.categories] if case.categories else []
    paths = ["--public", "c.csv", "--secret", "c.secret.csv", "--out", "c.all.csv"]
    data = ["--data", case.name, *case.read_options(), *case.method_options(), *extra]
    ran = tokumei("anonymize", "history", *data, "--seed", DERIVED, *paths)
    assert ran.code == 0, ran.err
    return files("c.csv", "c.secret.csv")


def by_python(case: Case, source: Any) -> tuple[Any, Any, dict[str, bytes]]:
    from tokumei.files.file_formats import sha256_of_file

    history = tk.read_history(source, format=case.format, **case.reading)
    release = tk.anonymize(
        history,
        **case.method,
        categories=case.categories,
        seed=DERIVED,
        sha256=sha256_of_file(case.name),
    )
    tk.save(release, "p.csv", secret="p.secret.csv", aligned="p.all.csv")
    return history, release, files("p.csv", "p.secret.csv")


def by_recipe(tokumei, case: Case) -> dict[str, bytes]:
    release = {"name": "release", **case.method}
    if case.categories:
        release["categories"] = case.categories
    recipe = {
        "history": {"file": case.name, "format": case.format, **case.reading},
        "releases": [release],
    }
    Path("r.yaml").write_text(json.dumps(recipe), encoding="utf-8")
    ran = tokumei("run", "r.yaml", "--seed", SEED, "--out", "ran")
    assert ran.code == 0, ran.err
    return files("ran/releases/01-release.csv", "ran/secret/01-release.csv")


def test_command_line_python_and_recipe_write_the_same_bytes(tokumei):
    """All cases in one test: a quick run leaves out none of them."""
    for name, case in CASES.items():
        case.write()
        written = by_command_line(tokumei, case)
        assert by_python(case, case.name)[2] == written, name
        assert by_recipe(tokumei, case) == written, name
        assert Path("c.all.csv").read_bytes() == Path("p.all.csv").read_bytes(), name


def test_frames_are_read_as_their_file(tokumei):
    for name, case in CASES.items():
        case.write()
        read, _, written = by_python(case, case.name)
        for frame in (case.frame, case.frame.to_pandas(), case.frame.to_arrow(), case.frame.lazy()):
            history = tk.read_history(frame, format=case.format, **case.reading)
            assert history.frame.equals(read.frame), name
            assert (history.names, history.like) == (read.names, read.like), name
        assert by_python(case, case.frame.to_pandas())[2] == written, name


@pytest.mark.parametrize("name", ["contest, ranked", "contest, categories", "table, messy", "shop"])
def test_attacks_and_measures_have_the_same_figures(tokumei, name):
    case = CASES[name]
    case.write()
    by_command_line(tokumei, case)
    history, release, _ = by_python(case, case.name)
    mapped = []
    if case.categories:
        mapping = {item: item[:1] for item in history.item_names}
        lines = "".join(f"{item},{category}\n" for item, category in mapping.items())
        Path("map.csv").write_text(f"item,category\n{lines}")
        mapped = ["--categories", "map.csv"]
    reading = case.read_options()
    original = ["--original", case.name, "--release", "c.all.csv"]
    measured = tokumei("measure", "utility", *reading, *original, *mapped, "--json")
    assert measured.code == 0, measured.err
    scores = tk.measure(history, release)
    assert measured.json == {name: score.value for name, score in scores.items()}
    attack = ["--known", case.name, "--public", "c.csv", "--method", "best", "--seed", SEED]
    ran = tokumei("attack", *reading, *attack, *mapped, "--out", "guess.csv", "--json")
    assert ran.code == 0, ran.err
    hits = tk.attack(history, release, methods=["best"], seed=SEED)["best"]
    assert ran.json["answered"] == hits.tried
    guess = pl.read_csv("guess.csv", has_header=case.format != "pws2018", infer_schema=False)
    truth = release.truth().rows()
    assert len({*guess.rows()} & {*truth}) == hits.hits


def test_a_sweep_has_the_same_figures_everywhere(tokumei):
    case = CASES["contest, ranked"]
    case.write()
    sweep = ["sweep", "--data", "T.csv", "--format", "pws2018", "--method", "rank-match"]
    ran = tokumei(*sweep, "--k", "2-4", "--seed", SEED, "--json").json
    history = tk.read_history("T.csv", format="pws2018")
    assert tk.sweep(history, "rank-match", [2, 3, 4], seed=SEED).as_json() == ran
    Path("r.yaml").write_text(
        "history: {file: T.csv}\nsweeps: [{method: rank-match, k: 2-4}]\nattacks: [first]\n"
    )
    recipe = tokumei("run", "r.yaml", "--seed", SEED, "--out", "ran", "--json")
    assert recipe.json["sweeps"]["rank-match"] == ran


class Silent:
    def progress(self, share, words): ...

    def fresh(self): ...


@pytest.mark.parametrize("name", ["table, names", "table, messy"])
def test_a_studio_job_writes_what_python_writes(tmp_path, name):
    case, teller = CASES[name], Silent()
    with chdir(tmp_path):
        case.write()
        project = StudioHome.open(tmp_path / "home").begin("T.csv", tmp_path / "T.csv")
        profile_source(project, {}, teller)
        project.change(kind="histories", columns=case.reading["columns"])
        profile_source(project, {}, teller)
        request = {"kind": "histories", "steps": [case.method]}
        project.write_result("candidates/one", {"id": "one", "request": request})
        write_release(project, {"id": "one", "folder": str(tmp_path / "out")}, teller)
        history = tk.read_history("T.csv", **case.reading)
        seed = derive_seed(read_key("out/secret/release.key"), "release", 0)
        tk.save(tk.anonymize(history, **case.method, seed=seed), "p.csv")
        assert Path("p.csv").read_bytes() == Path("out/releases/01-release.csv").read_bytes()


def test_advice_makes_the_release_that_python_makes(tokumei):
    history = tk.History.of(purchases())
    adviser = make_adviser(history, Purpose(), seed=SEED)
    (first, *_) = adviser.steps(steps=1)
    step = dict(first.request.steps[0])
    release = tk.anonymize(history, **step, seed=SEED)
    assert adviser.release(first.request).public.equals(release.public)
