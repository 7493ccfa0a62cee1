"""The same history, request and seed give the same release by every front end."""

from __future__ import annotations

import gzip
import io
import json
import pickle
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tokumei as tk
from apps.cli.conftest import tokumei as tokumei
from tokumei.api.advisers import adviser as make_adviser
from tokumei.apps.studio.job_handlers.advise import open_project
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.home import StudioHome
from tokumei.core.advice.purpose import Purpose
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.key_files import read_key
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.data.period_history import to_period_history
from tokumei.pseudonyms.data.sample_data import sample_periods
from tokumei.pseudonyms.formats.pws2017 import Pws2017
from tokumei.pseudonyms.services.anonymize import anonymize_periods
from tokumei.pseudonyms.services.requests import AnonymizePeriodsRequest, PeriodSource

SEED = 7
HISTORY = sample_periods(400, customers=14, seed=3)


def rows() -> pl.DataFrame:
    return HISTORY.rows.cells


def japanese() -> pl.DataFrame:
    return rows().with_columns(item=pl.lit("茶") + pl.col("item"))


def typed() -> pl.DataFrame:
    """Days, prices and quantities in their own types, as a data frame has them."""
    day = pl.col("day").str.to_date("%Y/%m/%d")
    return rows().with_columns(
        day, pl.col("price").cast(pl.Float64), pl.col("quantity").cast(pl.Int64)
    )


def lines(frame: pl.DataFrame) -> bytes:
    """A contest file of a frame; days without leading zeros."""
    stream = io.StringIO()
    days = pl.selectors.date().dt.strftime("%Y/%-m/%-d")
    frame.with_columns(days).write_csv(stream, include_header=False)
    return stream.getvalue().encode()


@dataclass(frozen=True)
class Case:
    """T as a file of some form, and what is done to it."""

    method: Mapping[str, Any]
    frame: pl.DataFrame = field(default_factory=rows)
    name: str = "T.csv"
    encoding: str = "auto"

    def write(self) -> None:
        Path("M.csv").write_bytes(lines(HISTORY.master.frame))
        data = lines(self.frame)
        if self.name.endswith(".parquet"):
            self.frame.write_parquet(self.name)
        elif self.name.endswith(".gz"):
            Path(self.name).write_bytes(gzip.compress(data, mtime=0))
        elif self.encoding != "auto":
            text = data.decode().replace("\n", "\r\n")
            Path(self.name).write_bytes(text.encode(self.encoding))
        else:
            Path(self.name).write_bytes(data)


CASES = {
    "one pseudonym": Case({"lifetime": 12}),
    "monthly": Case({"lifetime": 1}),
    "quarterly": Case({"lifetime": 3}),
    "bound of rows": Case({"exposure": "rows", "bound": 6}),
    "bound of items": Case({"exposure": "items", "bound": 5}),
    "exchanged": Case({"lifetime": 2, "exchange": 0.3}),
    "middle of the month": Case({"lifetime": 1, "day": 15}),
    "shifted days": Case({"lifetime": 1, "day_shift": 3}),
    "noisy prices": Case({"lifetime": 1, "price_noise": 0.1}),
    "deleted rows": Case({"lifetime": 1, "delete": 0.2}),
    "Windows file": Case({"lifetime": 1}, japanese(), encoding="cp932"),
    "packed file": Case({"lifetime": 1, "day": 15}, name="T.csv.gz"),
    "Parquet": Case({"lifetime": 2}, typed(), name="T.parquet"),
    "data frame": Case({"lifetime": 2, "price_noise": 0.1}, typed()),
}


def files(public: str, secret: str) -> dict[str, bytes]:
    return {
        "public": Path(public).read_bytes(),
        "manifest": Path(f"{public}.manifest.json").read_bytes(),
        "secret": Path(secret).read_bytes(),
        "provenance": Path(f"{secret}.provenance.json").read_bytes(),
    }


def by_command_line(tokumei, case: Case) -> dict[str, bytes]:
    given = [
        part for key, value in case.method.items() for part in (f"--{key.replace('_', '-')}", value)
    ]
    source = ["--format", "pws2017", "--data", case.name, "--master", "M.csv"]
    source += ["--encoding", case.encoding]
    paths = ["--public", "c.csv", "--secret", "c.secret.csv", "--out", "c.all.csv"]
    ran = tokumei("anonymize", "history", *source, *given, "--seed", SEED, *paths)
    assert ran.code == 0, ran.err
    return files("c.csv", "c.secret.csv")


def by_python(case: Case, source: Any, master: Any = "M.csv") -> tuple[Any, Any, dict[str, bytes]]:
    history = tk.read_history(source, format="pws2017", master=master, encoding=case.encoding)
    digest = sha256_of_file(case.name)
    release = tk.anonymize(history, "pseudonyms", **case.method, seed=SEED, sha256=digest)
    tk.save(release, "p.csv", secret="p.secret.csv", aligned="p.all.csv")
    return history, release, files("p.csv", "p.secret.csv")


def by_recipe(tokumei, case: Case) -> tuple[dict[str, bytes], Any]:
    recipe = {
        "periods": {"file": case.name, "master": "M.csv", "encoding": case.encoding},
        "releases": [{"name": "release", **case.method}],
        "publish": "release",
        "knowledge": {"alphas": [1.0], "prefix": {}},
        "attacks": ["S1"],
        "measures": ["rows"],
    }
    Path("r.yaml").write_text(json.dumps(recipe), encoding="utf-8")
    ran = tokumei("run", "r.yaml", "--seed", SEED, "--out", "ran", "--json")
    assert ran.code == 0, ran.err
    (entry,) = ran.json["scoreboard"]["entries"]
    return files("ran/releases/01-release.csv", "ran/secret/01-release.csv"), entry


def test_command_line_python_and_recipe_write_the_same_bytes(tokumei):
    """All cases in one test: a quick run leaves out none of them."""
    for name, case in CASES.items():
        case.write()
        written = by_command_line(tokumei, case)
        history, release, by_keywords = by_python(case, case.name)
        assert by_keywords == written, name
        assert Path("c.all.csv").read_bytes() == Path("p.all.csv").read_bytes(), name
        by_yaml, entry = by_recipe(tokumei, case)
        assert by_yaml == written, name
        rates = tk.attack(history, release, methods=["S1"], seed=SEED)["S1"]
        assert entry["safety"]["1"]["S1"] == {key: one.as_json() for key, one in rates.items()}, (
            name
        )
        scores = tk.measure(history, release, methods=["rows", "worst"])
        assert entry["utility"] == {key: one.value for key, one in scores.items()}, name


def test_frames_are_read_as_their_file(tokumei):
    for name, case in CASES.items():
        case.write()
        read, _, written = by_python(case, case.name)
        master = HISTORY.master.frame
        for frame in (case.frame, case.frame.to_pandas(), case.frame.to_arrow()):
            history = tk.read_history(frame, format="pws2017", master=master)
            assert history.frame.equals(read.frame), name
        assert by_python(case, case.frame.to_pandas(), master.to_pandas())[2] == written, name


@pytest.mark.parametrize("name", ["monthly", "deleted rows", "Windows file"])
def test_attacks_and_measures_have_the_same_figures(tokumei, name):
    case = CASES[name]
    case.write()
    by_command_line(tokumei, case)
    history, release, _ = by_python(case, case.name)
    files = ["--master", "M.csv"]  # encodings are detected: releases are UTF-8 whatever T is
    seen = ["--known", "T.csv", "--public", "c.csv", "--secret", "c.secret.csv"]
    attack = ["attack", "--format", "pws2017", *files, *seen, "--seed", SEED, "--json"]
    ran = tokumei(*attack, "--method", "S1,best").json
    rates = tk.attack(history, release, methods=["S1", "best"], seed=SEED)
    for method, scores in rates.items():
        assert {key: ran[method][key] for key in scores} == {
            key: score.as_json() for key, score in scores.items()
        }
    original = ["--original", "T.csv", "--release", "c.all.csv"]
    measured = tokumei("measure", "utility", "--format", "pws2017", *files, *original, "--json")
    scores = tk.measure(history, release)
    assert measured.json == {key: score.value for key, score in scores.items()}


class Silent:
    def progress(self, share, words): ...

    def fresh(self): ...


def test_a_studio_job_writes_what_python_writes(tmp_path):
    bought = [
        f"C{n % 9},2024-{1 + n % 3:02d}-{1 + n % 27:02d},A{n % 5},{100 + n % 7},{1 + n % 3}"
        for n in range(80)
    ]
    text = "\n".join(["customer,day,item,price,quantity", *bought, ""])
    with chdir(tmp_path):
        Path("bought.csv").write_text(text)
        project = StudioHome.open(tmp_path / "home").begin("bought.csv", tmp_path / "bought.csv")
        profile_source(project, {}, Silent())
        columns = {name: name for name in ("customer", "day", "item", "price", "quantity")}
        project.change(kind="pseudonyms", columns=columns)
        profile_source(project, {}, Silent())
        step = {"method": "pseudonyms", "lifetime": 2}
        request = {"kind": "pseudonyms", "steps": [step]}
        project.write_result("candidates/one", {"id": "one", "request": request})
        open_project(project)  # writes the purchases as recipes of this kind read them
        write_release(project, {"id": "one", "folder": str(tmp_path / "out")}, Silent())
        history = to_period_history(tk.read_history("bought.csv", columns=columns))
        seed = read_key("out/secret/release.key")
        tk.save(tk.anonymize(history, **step, seed=seed), "p.csv")
        assert Path("p.csv").read_bytes() == Path("out/releases/01-release.csv").read_bytes()


def test_advice_makes_the_release_that_python_makes():
    adviser = make_adviser(HISTORY, Purpose(), seed=SEED)
    (first, *_) = adviser.steps(steps=1)
    release = tk.anonymize(HISTORY, **first.request.steps[0], seed=SEED)
    assert adviser.release(first.request).public.cells.equals(release.public.cells)


def test_requests_are_plain_data():
    source = PeriodSource(data="T.csv", layout=Pws2017(master="M.csv", encoding="cp932"))
    request = AnonymizePeriodsRequest(source=source, method=Pseudonyms(lifetime=1), seed=1)
    assert pickle.loads(pickle.dumps(request)) == request
    with pytest.raises(AttributeError):
        request.seed = 2  # type: ignore[misc]


def test_a_release_is_verified_before_anybody_gets_it(monkeypatch):
    fault = tk.Violation(rule="lifetime", message=tk.Message("too long", "長すぎます"))
    monkeypatch.setattr(
        "tokumei.pseudonyms.services.anonymize.find_claim_violations", lambda *_: [fault]
    )
    source = PeriodSource(data=HISTORY)
    with pytest.raises(tk.ClaimError):
        anonymize_periods(AnonymizePeriodsRequest(source=source, method=Pseudonyms(lifetime=1)))
