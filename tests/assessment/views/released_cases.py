"""Releases of many forms, made as a user would make them: by commands, in a folder each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
from tests.assessment.views.collectors import ReleasedCase, run_command

from tokumei.assessment.saved_scenario import save_scenario
from tokumei.core.scenario import Scenario

QI, SA = ("age", "sex", "town"), ("amount", "illness")
METHODS: dict[str, list[str]] = {
    "mondrian": ["--method", "mondrian", "--k", "5"],
    "local": ["--method", "local", "--k", "5"],
    "microaggregate": ["--method", "mondrian,microaggregate", "--set", "mondrian.k=4"],
    "noise": ["--method", "noise", "--set", "scale=0.1", "--set", "columns=[amount]"],
    "delete": ["--method", "delete", "--set", "share=0.2"],
}
COUNTING_METHODS = ("mondrian", "local")
TABLES = ("plain", "people", "gaps", "people-gaps")


@dataclass(frozen=True)
class ReleaseForm:
    """What a release is made from, how, and for whom."""

    table: str
    method: str
    recipient: str
    rough: bool = False

    @property
    def name(self) -> str:
        """The name of its test."""
        return "-".join([self.table, self.method, self.recipient, *["rough"] * self.rough])

    @property
    def person(self) -> str | None:
        """The column that tells people apart, if somebody named it."""
        return "who" if self.table.startswith("people") else None


def list_forms() -> list[ReleaseForm]:
    """Every table with every method, for two recipients each, and some who know only roughly."""
    forms = []
    for number, (table, method) in enumerate(product(TABLES, METHODS)):
        recipients = ("public", "partner", "inside")
        for recipient in (recipients[number % 3], recipients[(number + 1) % 3]):
            forms.append(ReleaseForm(table, method, recipient))
    return [*forms, *(ReleaseForm(table, "mondrian", "partner", rough=True) for table in TABLES)]


def make_table(name: str, rows: int = 80) -> pl.DataFrame:
    """A table of people: several rows of each, and cells that are missing, if the name says so."""
    draws = np.random.default_rng(len(name))
    people = rows // 2 if name.startswith("people") else rows
    who = np.arange(rows) % people
    columns = {
        "who": [f"p{number:03d}" for number in who],
        "age": draws.integers(20, 70, people)[who].tolist(),
        "sex": draws.choice(["f", "m"], people)[who].tolist(),
        "town": draws.choice(["aki", "beppu", "chiba"], people)[who].tolist(),
        "amount": draws.normal(1000, 200, rows).round(1).tolist(),
        "illness": draws.choice(["flu", "cold", "gout"], rows).tolist(),
    }
    if name.endswith("gaps"):
        for column in ("age", "town"):
            cells = columns[column]
            columns[column] = [None if draws.random() < 0.1 else cell for cell in cells]
    return pl.DataFrame(columns)


def make_release(form: ReleaseForm, folder: Path) -> ReleasedCase:
    """Anonymize on the command line, under the scenario saved beside the file."""
    original, release, link = folder / "x.csv", folder / "y.csv", folder / "link.csv"
    make_table(form.table).write_csv(original)
    knows = ["age~2", "sex"] if form.rough else None
    scenario = Scenario.for_recipient(form.recipient, knows=knows, person=form.person)
    save_scenario(str(original), scenario)
    words = ["anonymize", "table", "--data", str(original), "--qi", ",".join(QI)]
    words += ["--sa", ",".join(SA), "--answers", "defaults", *METHODS[form.method]]
    counts_people = form.person is not None and form.method in COUNTING_METHODS
    words += ["--person", str(form.person) if counts_people else "none", "--id", "who"]
    words += ["--out", str(release), "--secret", str(link), "--seed", "1"]
    code, text = run_command(*words)
    assert code == 0, text
    code, printed = run_command(*words, "--json")
    assert code == 0, printed
    document = json.dumps(json.loads(printed)["assessment"])
    texts = {"anonymize text": text, "anonymize json": document}
    return ReleasedCase(form.name, folder, original, release, link, QI, SA, texts)


def make_recipe_release(form: ReleaseForm, folder: Path) -> ReleasedCase:
    """The same by a recipe: its report, its text, its JSON and what lies in its folder."""
    original, out = folder / "x.csv", folder / "out"
    make_table(form.table).write_csv(original)
    scenario = Scenario.for_recipient(form.recipient, person=form.person)
    save_scenario(str(original), scenario)
    roles = {"qi": [*QI], "sa": [*SA], "ids": ["who"]}
    if form.person:
        roles = {"qi": [*QI], "sa": [*SA], "person": form.person}  # type: ignore[dict-item]
    recipe = {
        "data": {"file": str(original), **roles},
        "releases": [{"name": "five", "steps": [{"method": "mondrian", "k": 5}]}],
        "attacks": ["E1"],
        "measures": ["U5"],
        "scenario": scenario.to_dict(),
    }
    (folder / "r.yaml").write_text(json.dumps(recipe), encoding="utf-8")
    words = ["run", str(folder / "r.yaml"), "--seed", "1", "--out", str(out)]
    code, text = run_command(*words)
    assert code == 0, text
    _, printed = run_command(*words, "--json")
    texts = {
        "run text": text,
        "run json": json.dumps(json.loads(printed)["assessments"]["five"]),
        "run assessment.json": (out / "assessment.json").read_text(encoding="utf-8"),
        "run report": (out / "report.html").read_text(encoding="utf-8"),
    }
    release, link = out / "releases" / "01-five.csv", out / "secret" / "01-five.csv"
    return ReleasedCase(f"run-{form.name}", folder, original, release, link, QI, SA, texts)


def make_odd_releases(folder: Path) -> Iterator[ReleasedCase]:
    """Without a link, with a permuted link, everything suppressed, raw, three rows, one column."""
    table = make_table("plain")
    raw = table.drop("who")
    everything = raw.with_columns(pl.lit("*").alias(name) for name in raw.columns)
    numbers = pl.int_range(table.height, eager=True)
    rows = pl.DataFrame({"released": numbers, "original": numbers})
    permuted = rows.with_columns(pl.col("original").shuffle(seed=3))
    odd: dict[str, tuple[pl.DataFrame, pl.DataFrame | None]] = {
        "no-link": (raw, None),
        "permuted": (raw, permuted),
        "raw": (raw, rows),
        "suppressed": (everything, rows),
        "three-rows": (raw.head(3), rows.head(3)),
        "one-column": (raw.select("age"), rows),
    }
    for name, (release, link) in odd.items():
        place = folder / name
        place.mkdir()
        source = table.select("who", "age") if name == "one-column" else table
        source.write_csv(place / "x.csv")
        knows = [column for column in ("age", "sex") if column in source.columns]
        save_scenario(str(place / "x.csv"), Scenario.for_recipient("partner", knows=knows))
        release.write_csv(place / "y.csv")
        if link is not None:
            link.write_csv(place / "link.csv")
        path = None if link is None else place / "link.csv"
        qi, sa = (tuple(c for c in names if c in release.columns) for names in (QI, SA))
        yield ReleasedCase(name, place, place / "x.csv", place / "y.csv", path, qi, sa)
