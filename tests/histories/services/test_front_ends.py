"""The same history, request and seed give the same release by every front end."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path

import pytest

import tokumei as tk
from histories.services.front_ends_helpers import purchases
from histories.services.front_ends_samples import (
    CASES,
    SEED,
    Case,
    by_command_line,
    by_python,
    files,
)
from tokumei.api.advisers import adviser as make_adviser
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.home import StudioHome
from tokumei.core.advice.purpose import Purpose
from tokumei.core.recipe import derive_seed
from tokumei.files.key_files import read_key


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
        args = {"id": "one", "folder": str(tmp_path / "out"), "anyway": "a test"}
        write_release(project, args, teller)
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
