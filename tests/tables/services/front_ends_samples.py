"""What the tests split from test_front_ends share."""

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


def write_messy(path: Path) -> None:
    """Shift_JIS with a title, units in cells, and a total."""
    rows = "".join(
        f'{age}歳,{sex},{city},"￥{pay * 10:,}"\n' for age, sex, city, pay in people().iter_rows()
    )
    text = f"会員名簿,,,\n,,,\nage,sex,city,pay\n{rows}合計,,,60\n"
    path.write_bytes(text.encode("cp932"))


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
    write_release(project, {"id": "one", "folder": str(target), "anyway": "compared"}, QUIET)
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
