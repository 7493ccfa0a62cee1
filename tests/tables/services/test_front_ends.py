"""The same request gives the same bytes and figures by command line, Python, recipe and studio."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import yaml

import tokumei as tk
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.home import StudioHome
from tokumei.core.recipe import derive_seed

KEY = 2**255 + 5


SEED = derive_seed(KEY, "release", 0)
"""What a recipe run with the key gives its first release."""


QI, SA = ["age", "sex", "city"], ["pay"]


TOLERANCE = 1e-9


class Silent:
    """Somebody who does not want to be told."""

    def progress(self, share: float | None, words: Any) -> None: ...

    def fresh(self) -> None: ...


QUIET: Any = Silent()


def people(persons: int | None = None) -> pl.DataFrame:
    """Sixty rows; `persons` names their people, spelled in several ways."""
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 60, 60),
            "sex": rng.choice(["f", "m"], 60),
            "city": rng.choice(["東京", "千葉", "大阪"], 60),
            "pay": rng.integers(100, 900, 60),
        }
    )
    if persons is None:
        return frame
    spelled = [f"P{row % persons:03d}{' ' * (row % 2)}" for row in range(60)]
    return frame.insert_column(0, pl.Series("uid", spelled))


def write_plain(path: Path) -> None:
    people().write_csv(path)


def write_persons(path: Path) -> None:
    people(30).write_csv(path)


def write_messy(path: Path) -> None:
    """Shift_JIS with a title, units in cells, and a total."""
    rows = "".join(
        f'{age}歳,{sex},{city},"￥{pay * 10:,}"\n' for age, sex, city, pay in people().iter_rows()
    )
    text = f"会員名簿,,,\n,,,\nage,sex,city,pay\n{rows}合計,,,60\n"
    path.write_bytes(text.encode("cp932"))


def write_workbook(path: Path) -> None:
    people().write_excel(path, worksheet="members")


def write_parquet(path: Path) -> None:
    people().write_parquet(path)


@dataclass(frozen=True)
class Case:
    """A request in the words of every front end."""

    options: list[str]
    steps: list[dict[str, Any]]
    write: Callable[[Path], None] = write_plain
    file: str = "x.csv"
    roles: Mapping[str, Any] = field(default_factory=lambda: {"qi": QI, "sa": SA})
    frame: Callable[[], Any] | None = None
    """What Python gets instead of the path."""


MONDRIAN = {"method": "mondrian", "k": 4}


METHODS = {
    "mondrian": Case(["--k", "4"], [MONDRIAN]),
    "local": Case(["--method", "local", "--k", "3"], [{"method": "local", "k": 3}]),
    "noise": Case(["--method", "noise"], [{"method": "noise"}]),
}


MODELS = {
    "l-diversity": Case(["--k", "4", "--l", "2"], [{**MONDRIAN, "conditions": ["l=2"]}]),
    "t-closeness": Case(["--k", "4", "--t", "0.5"], [{**MONDRIAN, "conditions": ["t=0.5"]}]),
    "pipeline": Case(
        ["--method", "mondrian,microaggregate", "--set", "mondrian.k=4"],
        [MONDRIAN, {"method": "microaggregate"}],
    ),
}


ROLES = {
    "inferred": Case(["--k", "4"], [MONDRIAN], roles={}),
    "person": Case(
        ["--k", "3"],
        [{"method": "mondrian", "k": 3}],
        write=write_persons,
        roles={"qi": QI, "sa": SA, "person": "uid"},
    ),
    "messy, inferred": Case(["--k", "4"], [MONDRIAN], write=write_messy, roles={}),
}


FILES = {
    "messy": Case(["--k", "4"], [MONDRIAN], write=write_messy),
    "workbook": Case(["--k", "4"], [MONDRIAN], write=write_workbook, file="x.xlsx"),
    "parquet": Case(["--k", "4"], [MONDRIAN], write=write_parquet, file="x.parquet"),
}


FRAMES = {
    "polars": Case(["--k", "4"], [MONDRIAN], frame=people),
    "pandas": Case(["--k", "4"], [MONDRIAN], frame=lambda: people().to_pandas()),
    "arrow": Case(["--k", "4"], [MONDRIAN], frame=lambda: people().to_arrow()),
}


@dataclass(frozen=True)
class Outcome:
    """What a front end released and found: the public bytes, claims, rates and scores."""

    public: bytes
    claims: Any
    rates: dict[str, float]
    scores: dict[str, float]


def claims_of(path: Path | str) -> dict[str, Any]:
    manifest = json.loads(Path(f"{path}.manifest.json").read_text())
    return {name: manifest[name] for name in ("rows", "columns", "claims", "account", "person")}


def by_command_line(case: Case, tokumei: Any) -> Outcome:
    Path("seed.key").write_text(f"{SEED:064x}\n")
    Path("seed.key").chmod(0o600)
    named = [
        part
        for role, names in case.roles.items()
        for part in (f"--{role}", names if isinstance(names, str) else ",".join(names))
    ]
    files = ["--out", "y.csv", "--secret", "link.csv", "--key", "seed.key"]
    ran = tokumei("anonymize", "table", "--data", case.file, *named, *case.options, *files)
    assert ran.code == 0, ran.err
    sides = ["--original", case.file, "--release", "y.csv", "--truth", "link.csv", "--json"]
    attacked = tokumei("attack", *sides, "--expected", "--seed", "1")
    assert attacked.code == 0, attacked.err
    measured = tokumei("measure", "utility", *sides)
    assert measured.code == 0, measured.err
    rates = {n: r["rate"] for n, r in attacked.json.items() if n not in ("strongest", "known")}
    scores = {name: value for name, value in measured.json.items() if name != "gaps"}
    return Outcome(Path("y.csv").read_bytes(), claims_of("y.csv"), rates, scores)


def by_python(case: Case) -> Outcome:
    source = case.file if case.frame is None else case.frame()
    release = tk.anonymize(source, case.steps, **case.roles, seed=SEED, sha256=digest_of(case.file))
    tk.save(release, "z.csv")
    rates = tk.attack(source, release, expected=True, seed=1)
    scores = tk.measure(source, release)
    return Outcome(
        Path("z.csv").read_bytes(),
        claims_of("z.csv"),
        {name: rate.rate for name, rate in rates.items()},
        {name: score.value for name, score in scores.items()},
    )


def digest_of(path: str) -> str:
    from tokumei.files.file_formats import sha256_of_file

    return sha256_of_file(path)


def by_recipe(case: Case) -> Outcome:
    content = {
        "data": {"file": case.file, **case.roles},
        "releases": [{"name": "release", "steps": case.steps}],
        "expected": True,
    }
    Path("recipe.yaml").write_text(yaml.safe_dump(content, allow_unicode=True))
    tk.save_experiment(tk.run_recipe(tk.load_recipe("recipe.yaml"), seed=KEY), "made")
    return outcome_in(Path("made"))


def outcome_in(folder: Path) -> Outcome:
    """What lies in the folder of an experiment."""
    public = folder / "releases/01-release.csv"
    (row,) = json.loads((folder / "scorecard.json").read_text())
    rates = {name: rate["rate"] for name, rate in row["attacks"].items()}
    scores = {name: score["value"] for name, score in row["scores"].items()}
    return Outcome(public.read_bytes(), claims_of(public), rates, scores)


def by_studio(case: Case, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """The jobs `look` and `release` of a project whose candidate is the request."""
    project = StudioHome.open(Path("home").resolve()).begin(case.file, Path(case.file))
    profile_source(project, {}, QUIET)
    if case.roles:
        project.change(roles=studio_roles(case), person=case.roles.get("person"))
    state = project.state()
    fates = {"quasi": "generalize", "sensitive": "protect", "keep": "pass"}
    request = {
        "kind": "tables",
        "steps": case.steps,
        "columns": {name: fates.get(role, "drop") for name, role in state.roles.items()},
        "person": state.person or "",
        "consent": [],
    }
    project.write_result("candidates/one", {"id": "one", "request": request})

    def write_known_key(path: Path) -> None:
        path.write_text(f"{KEY:064x}\n")
        path.chmod(0o600)

    monkeypatch.setattr("tokumei.apps.studio.job_handlers.release.write_key", write_known_key)
    target = Path("published").resolve()
    write_release(project, {"id": "one", "folder": str(target)}, QUIET)
    return outcome_in(target)


def studio_roles(case: Case) -> dict[str, str]:
    names = {
        "quasi": case.roles["qi"],
        "sensitive": case.roles["sa"],
        "identifier": case.roles.get("ids", []),
    }
    roles = {name: role for role, columns in names.items() for name in columns}
    if "person" in case.roles:
        roles = {case.roles["person"]: "identifier", **roles}
    return roles


def require_one_outcome(case: Case, tokumei: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    case.write(Path(case.file))
    expected = by_command_line(case, tokumei)
    found = {
        "python": by_python(case),
        "recipe": by_recipe(case),
        "studio": by_studio(case, monkeypatch),
    }
    for front_end, outcome in found.items():
        assert outcome.public == expected.public, front_end
        assert outcome.claims == expected.claims, front_end
        assert outcome.rates == pytest.approx(expected.rates, abs=TOLERANCE), front_end
        assert outcome.scores == pytest.approx(expected.scores, abs=TOLERANCE), front_end


@pytest.mark.parametrize("name", METHODS)
def test_methods_give_the_same_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(METHODS[name], tokumei, monkeypatch)


@pytest.mark.parametrize("name", MODELS)
def test_models_and_pipelines_give_the_same_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(MODELS[name], tokumei, monkeypatch)


@pytest.mark.parametrize("name", ROLES)
def test_roles_and_people_are_the_same_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(ROLES[name], tokumei, monkeypatch)


@pytest.mark.parametrize("name", FILES)
def test_files_are_read_alike_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(FILES[name], tokumei, monkeypatch)


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_read_as_their_files(name, tokumei, monkeypatch):
    require_one_outcome(FRAMES[name], tokumei, monkeypatch)


def write_repeated_identifiers(path: Path) -> None:
    rows = people().with_columns(uid=pl.Series([f"u{row // 5:02d}" for row in range(60)]))
    rows.write_csv(path)


def test_repeated_identifiers_are_refused_everywhere(tokumei, monkeypatch):
    roles = {"qi": QI, "sa": SA, "ids": ["uid"]}
    case = Case(["--k", "4"], [MONDRIAN], write=write_repeated_identifiers, roles=roles)
    case.write(Path("x.csv"))
    options = ["--qi", ",".join(QI), "--sa", "pay", "--id", "uid", "--k", "4", "--out", "y.csv"]
    ran = tokumei("anonymize", "table", "--data", "x.csv", *options)
    assert ran.code == 1
    assert "--person uid" in ran.err
    table = tk.read_table("x.csv", **roles)
    for refused in (
        lambda: tk.anonymize("x.csv", [MONDRIAN], **roles),
        lambda: tk.anonymize(pl.read_csv("x.csv"), [MONDRIAN], **roles),
        lambda: tk.anonymize(table, "mondrian", k=4),
        lambda: by_recipe(case),
        lambda: by_studio(case, monkeypatch),
    ):
        with pytest.raises(tk.TokumeiError) as error:
            refused()
        assert [fault.rule for fault in error.value.faults] == ["rows-are-not-people"]


def test_saved_roles_hold_in_recipes_as_on_the_command_line(tokumei):
    write_persons(Path("x.csv"))
    saved = ["--save-roles", "--out", "y.csv"]
    options = ["--qi", ",".join(QI), "--sa", "pay", "--person", "uid", "--k", "3"]
    first = tokumei("anonymize", "table", "--data", "x.csv", *options, *saved)
    assert first.code == 0, first.err
    case = Case(["--k", "3"], [{"method": "mondrian", "k": 3}], roles={})
    expected = by_command_line(case, tokumei)
    assert by_recipe(case) == expected
    assert expected.claims["person"] == "uid"


def test_a_saved_profile_changes_nothing_that_nobody_answered(tokumei):
    write_plain(Path("x.csv"))
    case = Case(["--k", "4"], [MONDRIAN], roles={})
    before = by_command_line(case, tokumei)
    assert tokumei("look", "x.csv", "--save").code == 0
    assert by_command_line(case, tokumei) == before
    assert by_python(case) == before
    assert by_recipe(case) == before


def write_with_unused_column(path: Path) -> None:
    people().with_columns(points=pl.Series(range(60)) % 7).write_csv(path)


def test_a_saved_profile_holds_no_column_back(tokumei):
    write_with_unused_column(Path("x.csv"))
    case = Case(["--k", "4"], [MONDRIAN])
    before = by_command_line(case, tokumei)
    assert "points" in before.claims["columns"]
    assert tokumei("look", "x.csv", "--save").code == 0
    assert by_command_line(case, tokumei) == before
    assert by_recipe(case) == before


def test_an_answer_in_a_saved_profile_holds(tokumei):
    write_with_unused_column(Path("x.csv"))
    assert tokumei("look", "x.csv", "--save").code == 0
    saved = json.loads(Path("x.csv.tokumei.json").read_text())
    saved["columns"]["points"]["fate"] = "drop"
    Path("x.csv.tokumei.json").write_text(json.dumps(saved))
    case = Case(["--k", "4"], [MONDRIAN])
    found = by_command_line(case, tokumei)
    assert "points" not in found.claims["columns"]
    assert by_recipe(case) == found
